//===- NpyTest.cpp - Tests of .npy files ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Npy.h"
#include "FusionDialect/Runtime/OutputFile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

// A version 1.0 file, written by hand: dictionary and elements.
std::string makeFile(llvm::StringRef dictionary, llvm::StringRef elements) {
  std::string header = (dictionary + "\n").str();
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + elements.str();
}

std::string getDictionary(llvm::StringRef type, llvm::StringRef shape,
                          llvm::StringRef order = "False") {
  return ("{'descr': '" + type + "', 'fortran_order': " + order +
          ", 'shape': " + shape + ", }")
      .str();
}

class NpyTest : public ::testing::Test {
protected:
  // The error for `file` read as `type`; "" if it was read.
  std::string getError(const std::string &file, Type type) {
    auto tensor = decodeNpy({file, "in.npy"}, type);
    if (tensor)
      return "";
    return llvm::toString(tensor.takeError());
  }
  void expectError(const std::string &file, Type type, const char *text) {
    std::string error = getError(file, type);
    EXPECT_TRUE(llvm::StringRef(error).starts_with("in.npy: "));
    EXPECT_NE(error.find(text), std::string::npos) << error;
  }

  MLIRContext context;
  Builder builder{&context};
};

TEST_F(NpyTest, ReadsRowMajor) {
  float elements[] = {1, 2, 3, 4, 5, 6};
  std::string file =
      makeFile(getDictionary("<f4", "(2, 3)"),
               {reinterpret_cast<char *>(elements), sizeof(elements)});
  auto tensor = decodeNpy({file, "in.npy"}, builder.getF32Type());
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->getShape(), llvm::ArrayRef<int64_t>({2, 3}));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->getDataAs<float>()[i], elements[i]);
}

TEST_F(NpyTest, ReordersFortran) {
  // [[1, 2, 3], [4, 5, 6]] by columns.
  int32_t elements[] = {1, 4, 2, 5, 3, 6};
  std::string file =
      makeFile(getDictionary("<i4", "(2, 3)", "True"),
               {reinterpret_cast<char *>(elements), sizeof(elements)});
  auto tensor = decodeNpy({file, "in.npy"}, builder.getI32Type());
  ASSERT_TRUE(bool(tensor));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->getDataAs<int32_t>()[i], i + 1);
}

TEST_F(NpyTest, EveryTypeComesBack) {
  Type types[] = {builder.getF64Type(),
                  builder.getF32Type(),
                  builder.getF16Type(),
                  builder.getBF16Type(),
                  Float8E4M3FNType::get(&context),
                  Float8E5M2Type::get(&context),
                  builder.getI1Type(),
                  builder.getI8Type(),
                  builder.getI16Type(),
                  builder.getI32Type(),
                  builder.getI64Type(),
                  builder.getIndexType()};
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("npy", "npy", path));
  // The last shape needs a header of more than 127 bytes.
  llvm::SmallVector<int64_t> shapes[] = {
      {}, {0}, {5}, {3, 0, 4}, {2, 3, 4}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 7}};
  for (Type type : types) {
    for (llvm::ArrayRef<int64_t> shape : shapes) {
      HostTensor tensor(type, shape);
      for (size_t i = 0; i < tensor.getSizeInBytes(); ++i)
        tensor.getDataAs<uint8_t>()[i] = type.isInteger(1) ? i % 2 : i * 37;
      StagedFiles files;
      ASSERT_EQ(llvm::toString(addNpy(files, path, tensor)), "");
      ASSERT_EQ(llvm::toString(files.keep()), "");
      auto read = readNpy(path, type);
      ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
      EXPECT_EQ(read->getShape(), shape);
      EXPECT_EQ(0, std::memcmp(read->getData(), tensor.getData(),
                               tensor.getSizeInBytes()));
    }
  }
  llvm::sys::fs::remove(path);
}

TEST_F(NpyTest, BitPatternsAndUnsignedAreRead) {
  EXPECT_EQ(getError(makeFile(getDictionary("<u2", "(1,)"), "ab"),
                     builder.getBF16Type()),
            "");
  EXPECT_EQ(getError(makeFile(getDictionary("|u1", "(1,)"), "a"),
                     Float8E5M2Type::get(&context)),
            "");
  EXPECT_EQ(getError(makeFile(getDictionary("<u4", "()"), "abcd"),
                     builder.getI32Type()),
            "");
  std::string bools("\0\1", 2);
  EXPECT_EQ(getError(makeFile(getDictionary("|u1", "(2,)"), bools),
                     builder.getI1Type()),
            "");
}

TEST_F(NpyTest, RefusesOtherTypes) {
  Type f32 = builder.getF32Type();
  expectError(makeFile(getDictionary("<f8", "(1,)"), "12345678"), f32,
              "expected elements '<f4' for f32, but got '<f8'");
  expectError(makeFile(getDictionary(">f4", "(1,)"), "1234"), f32,
              "big-endian");
  expectError(makeFile(getDictionary("|u1", "(1,)"), "a"), builder.getI1Type(),
              "expected 0 or 1 for i1, but element 0 is 97");
  expectError(makeFile(getDictionary("<f2", "(1,)"), "12"),
              builder.getBF16Type(), "expected elements '<u2' for bf16");
}

TEST_F(NpyTest, RefusesDamagedFiles) {
  Type f32 = builder.getF32Type();
  std::string good = makeFile(getDictionary("<f4", "(2,)"), "12345678");
  ASSERT_EQ(getError(good, f32), "");
  // Every shorter file, and a longer one.
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(getError(good.substr(0, size), f32), "") << size;
  expectError(good + "x", f32, "expected 8 bytes of elements, but got 9");
  expectError("hello", f32, "the magic is missing");
  std::string version = good;
  version[6] = 3;
  expectError(version, f32, "expected .npy version 1.0 or 2.0, but got 3.0");
}

TEST_F(NpyTest, RefusesMalformedHeaders) {
  Type f32 = builder.getF32Type();
  const char *dictionaries[] = {
      "",
      "{}",
      "{",
      "}{",
      "{'descr': '<f4'}",
      "{'shape': ()}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': }",
      "{'descr': '<f4', 'fortran_order': False, 'shape'}",
      "{'descr': '<f4', 'fortran_order': False, 'shape''shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (a,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
      "{'descr': 'f4', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': , 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999,)}",
      "{'descr':'<f4','fortran_order':False,'shape':(99999999999999,999999)}"};
  for (const char *dictionary : dictionaries)
    EXPECT_NE(getError(makeFile(dictionary, "1234"), f32), "") << dictionary;
}

TEST_F(NpyTest, FailedWritesLeaveNothing) {
  llvm::SmallString<64> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("npy", folder));
  HostTensor tensor(builder.getF32Type(), {2});
  {
    // The second target is a folder: its rename fails, and so do those after
    // it.
    std::string path = (folder + "/b.npy").str();
    ASSERT_FALSE(llvm::sys::fs::create_directory(path));
    StagedFiles files;
    for (const char *name : {"/b.npy", "/c.npy"})
      ASSERT_EQ(llvm::toString(addNpy(files, (folder + name).str(), tensor)),
                "");
    std::string error = llvm::toString(files.keep());
    EXPECT_NE(error.find("b.npy: cannot write the file"), std::string::npos);
  }
  {
    // A folder that is not there; the first file is not kept then.
    StagedFiles files;
    ASSERT_EQ(llvm::toString(addNpy(files, (folder + "/a.npy").str(), tensor)),
              "");
    std::string error =
        llvm::toString(addNpy(files, (folder + "/none/a.npy").str(), tensor));
    EXPECT_NE(error.find("a.npy: cannot write the file"), std::string::npos);
  }
  std::error_code code;
  int entries = 0;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    ++entries;
  EXPECT_EQ(entries, 1);
  llvm::sys::fs::remove_directories(folder);
}

} // namespace
