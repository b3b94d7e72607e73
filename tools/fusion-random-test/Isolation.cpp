//===- Isolation.cpp - Work in processes of its own -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child writes lines to a pipe: "step NAME" before each step, "done JSON"
// after each item. Anything else is what it, or a library, printed on the
// standard error stream.
//
//===----------------------------------------------------------------------===//

#include "Isolation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fusion;
using Clock = std::chrono::steady_clock;

namespace {

/// A child process and the items it works on.
struct Child {
  pid_t process = -1;
  int pipe = -1;
  /// The item in work, and the first that is another child's.
  size_t item = 0, end = 0;
  Clock::time_point deadline;
  std::string step, printed, unread;
};

class Isolation {
public:
  Isolation(size_t count, const IsolationOptions &options, IsolatedWork work)
      : options(options), work(work), results(count) {}

  std::vector<CheckResult> run();

private:
  void start(size_t first, size_t end);
  [[noreturn]] void runChild(int pipe, size_t first, size_t end);
  void wait();
  void receive(Child &child);
  void takeLine(Child &child, StringRef line);
  void end(Child &child);
  void renewDeadline(Child &child) {
    child.deadline = Clock::now() + std::chrono::seconds(options.timeLimit);
  }

  const IsolationOptions &options;
  IsolatedWork work;
  std::vector<CheckResult> results;
  std::vector<Child> children;
};

} // namespace

void Isolation::runChild(int pipe, size_t first, size_t end) {
  // The other children are the parallelism.
  llvm::parallel::strategy = llvm::hardware_concurrency(1);
  ::dup2(pipe, STDERR_FILENO);
  llvm::raw_fd_ostream os(pipe, /*shouldClose=*/false);
  for (size_t item = first; item < end; ++item) {
    CheckResult result = work(item, [&](StringRef step) {
      os << "step " << step << "\n";
      os.flush();
    });
    os << "done " << llvm::formatv("{0}", toJSON(result)) << "\n";
    os.flush();
  }
  // Nothing is left to be destroyed in order.
  ::_exit(0);
}

void Isolation::start(size_t first, size_t end) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    llvm::report_fatal_error("cannot make a pipe");
  llvm::outs().flush();
  pid_t process = ::fork();
  if (process < 0)
    llvm::report_fatal_error("cannot start a process");
  if (process == 0) {
    ::close(ends[0]);
    runChild(ends[1], first, end);
  }
  ::close(ends[1]);
  Child &child = children.emplace_back();
  child.process = process;
  child.pipe = ends[0];
  child.item = first;
  child.end = end;
  renewDeadline(child);
}

void Isolation::takeLine(Child &child, StringRef line) {
  if (line.consume_front("step ")) {
    child.step = line.str();
    return;
  }
  StringRef json = line;
  if (!json.consume_front("done ")) {
    child.printed += (line + "\n").str();
    return;
  }
  llvm::json::Path::Root root;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value || !fromJSON(*value, results[child.item], root))
    llvm::report_fatal_error("a child process wrote something else");
  ++child.item;
  child.step.clear();
  child.printed.clear();
  renewDeadline(child);
}

/// The child is gone, or is to go. The item that it was at has failed; others
/// get a new child.
void Isolation::end(Child &child) {
  bool isLate = Clock::now() >= child.deadline;
  if (isLate)
    ::kill(child.process, SIGKILL);
  int status = 0;
  ::waitpid(child.process, &status, 0);
  ::close(child.pipe);
  child.pipe = -1;
  if (child.item == child.end)
    return;
  CheckResult &result = results[child.item];
  result.outcome = isLate ? Outcome::Hang : Outcome::Crash;
  llvm::raw_string_ostream os(result.message);
  if (isLate)
    os << "more than " << options.timeLimit << " seconds";
  else if (WIFSIGNALED(status))
    os << "signal " << WTERMSIG(status) << " (" << ::strsignal(WTERMSIG(status))
       << ")";
  else
    os << "exit status " << WEXITSTATUS(status);
  os << " in the step '" << child.step << "'\n" << child.printed;
  size_t next = child.item + 1, last = child.end;
  if (next < last)
    start(next, last); // invalidates `child`
}

void Isolation::receive(Child &child) {
  char buffer[4096];
  ssize_t size = ::read(child.pipe, buffer, sizeof(buffer));
  if (size <= 0)
    return end(child);
  child.unread.append(buffer, size);
  size_t begin = 0, newline;
  while ((newline = child.unread.find('\n', begin)) != std::string::npos) {
    takeLine(child, StringRef(child.unread).slice(begin, newline));
    begin = newline + 1;
  }
  child.unread.erase(0, begin);
}

/// Waits until a child has written something or is late.
void Isolation::wait() {
  std::vector<pollfd> polled;
  Clock::time_point earliest = Clock::time_point::max();
  for (Child &child : children) {
    polled.push_back({child.pipe, POLLIN, 0});
    earliest = std::min(earliest, child.deadline);
  }
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                  earliest - Clock::now())
                  .count();
  ::poll(polled.data(), polled.size(),
         static_cast<int>(std::max<int64_t>(left, 0)) + 1);
  // New children are appended meanwhile.
  for (size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents != 0)
      receive(children[i]);
    else if (Clock::now() >= children[i].deadline)
      end(children[i]);
  }
  llvm::erase_if(children, [](const Child &child) { return child.pipe < 0; });
}

std::vector<CheckResult> Isolation::run() {
  size_t next = 0;
  while (next < results.size() || !children.empty()) {
    while (next < results.size() && children.size() < options.jobs) {
      size_t last = std::min<size_t>(next + options.batch, results.size());
      start(next, last);
      next = last;
    }
    wait();
  }
  return std::move(results);
}

std::vector<CheckResult> fusion::runIsolated(size_t count,
                                             const IsolationOptions &options,
                                             IsolatedWork work) {
  return Isolation(count, options, work).run();
}
