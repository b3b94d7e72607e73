//===- PlanPrinter.cpp - The plan as text and JSON ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Plan.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

template <typename T>
static std::string printKnown(const std::optional<T> &value) {
  return value ? llvm::formatv("{0}", *value).str() : "unknown";
}

static std::string printExtents(const PlannedExtents &extents) {
  auto print = [](const std::optional<int64_t> &extent) {
    return extent ? std::to_string(*extent) : "?";
  };
  return print(extents[0]) + "x" + print(extents[1]) + "x" + print(extents[2]);
}

static void printLaunch(const PlannedLaunch &launch, llvm::raw_ostream &os) {
  os << "    kernel " << launch.module << "::" << launch.kernel << ": grid "
     << printExtents(launch.grid) << ", block " << printExtents(launch.block);
  if (launch.cluster)
    os << ", cluster " << printExtents(*launch.cluster);
  if (launch.mode != "plain")
    os << ", " << launch.mode << " launch";
  const KernelResources &resources = launch.resources;
  os << "\n      shared memory: " << printKnown(launch.sharedBytes)
     << " bytes dynamic, " << printKnown(resources.staticSharedBytes)
     << " bytes static\n      registers: " << printKnown(resources.registers)
     << ", local memory: " << printKnown(resources.localBytes)
     << " bytes a thread\n";
}

static void printSegment(const PlannedSegment &segment, llvm::raw_ostream &os) {
  os << "  " << segment.name << ": " << segment.scheduler << " at "
     << segment.location << "\n";
  if (segment.schedule.empty()) {
    os << "    schedule: none\n";
  } else {
    os << "    schedule: " << segment.schedule
       << "\n    launches: " << segment.launchCount
       << ", main kernel: " << segment.blocks << " blocks of "
       << segment.threads << " threads, " << segment.sharedBytes
       << " bytes of shared memory\n";
  }
  if (segment.predictedBytes)
    os << "    predicted: " << *segment.predictedBytes << " bytes moved\n";
  if (segment.predictedMicroseconds)
    os << "    predicted: "
       << llvm::formatv("{0:F2}", *segment.predictedMicroseconds) << " us\n";
  for (const PlannedLaunch &launch : segment.launches)
    printLaunch(launch, os);
}

void mlir::fusion::printPlan(const Plan &plan, llvm::raw_ostream &os) {
  size_t launches = 0;
  Plan copy = plan;
  copy.forEachLaunch([&](PlannedLaunch &) { ++launches; });
  os << "plan: " << plan.segments.size() << " segments, " << launches
     << " launches, " << plan.outside.size()
     << " operations outside segments\n";
  for (const PlannedSegment &segment : plan.segments)
    printSegment(segment, os);
  for (const PlannedEdge &edge : plan.edges) {
    os << "  edge: segment " << edge.from;
    for (auto [number, to] : llvm::enumerate(edge.to))
      os << (number == 0 ? " to segment " : ", ") << to;
    os << ", " << edge.type << ", " << edge.bytes << " bytes\n";
  }
  for (const PlannedOutside &outside : plan.outside)
    os << "  outside segments: " << outside.operation << " at "
       << outside.location << "\n";
  for (const PlannedLaunch &launch : plan.launches)
    printLaunch(launch, os);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <typename T>
static json::Value toNullable(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Value toJSON(const PlannedExtents &extents) {
  return json::Array{toNullable(extents[0]), toNullable(extents[1]),
                     toNullable(extents[2])};
}

static json::Value toJSON(const PlannedLaunch &launch) {
  const KernelResources &resources = launch.resources;
  return json::Object{
      {"module", launch.module},
      {"kernel", launch.kernel},
      {"mode", launch.mode},
      {"grid", toJSON(launch.grid)},
      {"block", toJSON(launch.block)},
      {"cluster",
       launch.cluster ? toJSON(*launch.cluster) : json::Value(nullptr)},
      {"shared_bytes", toNullable(launch.sharedBytes)},
      {"static_shared_bytes", toNullable(resources.staticSharedBytes)},
      {"registers", toNullable(resources.registers)},
      {"local_bytes", toNullable(resources.localBytes)}};
}

static json::Array toJSON(llvm::ArrayRef<PlannedLaunch> launches) {
  json::Array array;
  for (const PlannedLaunch &launch : launches)
    array.push_back(toJSON(launch));
  return array;
}

static json::Value toJSON(const PlannedSegment &segment) {
  return json::Object{
      {"name", segment.name},
      {"location", segment.location},
      {"scheduler", segment.scheduler},
      {"schedule", segment.schedule},
      {"launch_count", segment.launchCount},
      {"threads", segment.threads},
      {"blocks", segment.blocks},
      {"shared_bytes", segment.sharedBytes},
      {"predicted_bytes", toNullable(segment.predictedBytes)},
      {"predicted_us", toNullable(segment.predictedMicroseconds)},
      {"launches", toJSON(llvm::ArrayRef(segment.launches))}};
}

json::Value mlir::fusion::toJSON(const Plan &plan) {
  json::Array segments, outside, edges;
  for (const PlannedSegment &segment : plan.segments)
    segments.push_back(::toJSON(segment));
  for (const PlannedOutside &op : plan.outside)
    outside.push_back(
        json::Object{{"operation", op.operation}, {"location", op.location}});
  for (const PlannedEdge &edge : plan.edges)
    edges.push_back(json::Object{{"from", edge.from},
                                 {"to", json::Array(edge.to)},
                                 {"type", edge.type},
                                 {"bytes", edge.bytes}});
  return json::Object{{"segments", std::move(segments)},
                      {"edges", std::move(edges)},
                      {"outside", std::move(outside)},
                      {"launches", ::toJSON(llvm::ArrayRef(plan.launches))}};
}
