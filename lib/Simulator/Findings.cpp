//===- Findings.cpp - Names and diagnostics of findings -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindingsEmitter.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace mlir;
using namespace mlir::fusion;

llvm::StringRef fusion::getFindingName(FindingKind kind) {
  switch (kind) {
  case FindingKind::DataRace:
    return "data race";
  case FindingKind::UninitializedRead:
    return "uninitialised read";
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::MisalignedAccess:
    return "misaligned access";
  case FindingKind::DivergentBarrier:
    return "divergent barrier";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::InactiveLane:
    return "inactive lane";
  case FindingKind::LimitExceeded:
    return "limit exceeded";
  case FindingKind::BarrierMisuse:
    return "barrier misuse";
  case FindingKind::ExitedBlock:
    return "exited block";
  }
  return "finding";
}

static std::string toString(SimulatorExtents position) {
  return ("(" + llvm::Twine(position.x) + ", " + llvm::Twine(position.y) +
          ", " + llvm::Twine(position.z) + ")")
      .str();
}

static std::string whoDid(const FindingAccess &access) {
  return access.action + ", thread " + toString(access.thread) + " of block " +
         toString(access.block);
}

void fusion::sim::emitFindings(llvm::ArrayRef<Finding> findings) {
  for (const Finding &finding : findings) {
    InFlightDiagnostic error = emitError(finding.access.loc)
                               << getFindingName(finding.kind) << ": "
                               << finding.message << ": "
                               << whoDid(finding.access);
    if (finding.count > 1)
      error << " (and " << finding.count - 1 << " more like it)";
    if (finding.other)
      error.attachNote(finding.other->loc)
          << "the other: " << whoDid(*finding.other);
  }
}

void fusion::sim::sortFindings(llvm::MutableArrayRef<Finding> findings) {
  auto position = [](Location loc) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    unsigned line = 0, column = 0;
    if (auto file = loc->findInstanceOf<FileLineColRange>()) {
      line = file.getStartLine();
      column = file.getStartColumn();
    } else {
      loc.print(stream);
    }
    return std::tuple(line, column, text);
  };
  llvm::sort(findings, [&](const Finding &a, const Finding &b) {
    auto key = [&](const Finding &f) {
      return std::tuple(position(f.access.loc), int(f.kind), f.access.block.z,
                        f.access.block.y, f.access.block.x);
    };
    return key(a) < key(b);
  });
}
