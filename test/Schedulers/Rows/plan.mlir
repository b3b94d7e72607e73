// The schedules of row kernels: how many threads share a row, and how.
// RUN: fusion-opt %s --fusion-schedule | FileCheck %s

// A row of 256 fits a warp, one vector a thread: several rows at a time have
// enough loads in flight.
// CHECK-LABEL: func.func @warp
// CHECK: #fusion.rows<kind = inner_persistent, blocks = {{[0-9]+}}, threads = [[T:[0-9]+]], groups = {{[0-9]+}}, rows = {{[248]}}, width = 8, vectors = 1, traversal = resident, occupancy = {{[0-9]+}}, shared_bytes = 0>
func.func @warp(%x: tensor<65536x256xbf16>) -> tensor<65536x256xbf16> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<65536x256xbf16>) -> (tensor<65536x256xbf16>) {
    %r = fusion.reduce maximumf %a dims = [1] : tensor<65536x256xbf16> -> tensor<65536xbf16>
    %b = fusion.broadcast %r dims = [0] : tensor<65536xbf16> -> tensor<65536x256xbf16>
    %y = arith.subf %a, %b : tensor<65536x256xbf16>
    fusion.yield %y : tensor<65536x256xbf16>
  }
  return %0 : tensor<65536x256xbf16>
}

// A row of 16384 takes a block, whose warps exchange 4 bytes each.
// CHECK-LABEL: func.func @block
// CHECK: #fusion.rows<kind = inner_persistent, blocks = 8192, threads = {{256|416|512|704}}, groups = 1, rows = 1, width = 8, vectors = {{3|4|5|8}}, traversal = resident, occupancy = {{[2-9]}}, shared_bytes = {{32|64|96}}>
func.func @block(%x: tensor<8192x16384xbf16>) -> tensor<8192x16384xbf16> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<8192x16384xbf16>) -> (tensor<8192x16384xbf16>) {
    %r = fusion.reduce maximumf %a dims = [1] : tensor<8192x16384xbf16> -> tensor<8192xbf16>
    %b = fusion.broadcast %r dims = [0] : tensor<8192xbf16> -> tensor<8192x16384xbf16>
    %y = arith.subf %a, %b : tensor<8192x16384xbf16>
    fusion.yield %y : tensor<8192x16384xbf16>
  }
  return %0 : tensor<8192x16384xbf16>
}

// 4 M columns do not fit in the registers of a block.
// CHECK-LABEL: func.func @looped
// CHECK: #fusion.rows<kind = inner_persistent, blocks = 1024, {{.*}}, rows = 1, width = 8, {{.*}}, traversal = looped,
func.func @looped(%x: tensor<1024x4194304xbf16>) -> tensor<1024x4194304xbf16> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<1024x4194304xbf16>) -> (tensor<1024x4194304xbf16>) {
    %r = fusion.reduce maximumf %a dims = [1] : tensor<1024x4194304xbf16> -> tensor<1024xbf16>
    %b = fusion.broadcast %r dims = [0] : tensor<1024xbf16> -> tensor<1024x4194304xbf16>
    %y = arith.subf %a, %b : tensor<1024x4194304xbf16>
    fusion.yield %y : tensor<1024x4194304xbf16>
  }
  return %0 : tensor<1024x4194304xbf16>
}

// Rows stand at odd offsets: elements are accessed one by one.
// CHECK-LABEL: func.func @odd
// CHECK: #fusion.rows<kind = inner_reduction, {{.*}}, width = 1, {{.*}}, traversal = resident,
func.func @odd(%x: tensor<4096x1023xf32>) -> tensor<4096xf32> {
  %0 = fusion.segment "inner-reduction" (%a = %x : tensor<4096x1023xf32>) -> (tensor<4096xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4096x1023xf32> -> tensor<4096xf32>
    fusion.yield %r : tensor<4096xf32>
  }
  return %0 : tensor<4096xf32>
}

// The widest access of 16 bytes is that of the narrowest tensor.
// CHECK-LABEL: func.func @mixed
// CHECK: #fusion.rows<kind = inner_persistent, {{.*}}, width = 16,
func.func @mixed(%x: tensor<4096x1024xi8>) -> tensor<4096x1024xi32> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<4096x1024xi8>) -> (tensor<4096x1024xi32>) {
    %w = arith.extsi %a : tensor<4096x1024xi8> to tensor<4096x1024xi32>
    %r = fusion.reduce add %w dims = [1] : tensor<4096x1024xi32> -> tensor<4096xi32>
    %b = fusion.broadcast %r dims = [0] : tensor<4096xi32> -> tensor<4096x1024xi32>
    %y = arith.subi %w, %b : tensor<4096x1024xi32>
    fusion.yield %y : tensor<4096x1024xi32>
  }
  return %0 : tensor<4096x1024xi32>
}

// Nothing to write: no block.
// CHECK-LABEL: func.func @empty
// CHECK: #fusion.rows<kind = inner_persistent, blocks = 0,
func.func @empty(%x: tensor<0x64xf32>) -> tensor<0x64xf32> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<0x64xf32>) -> (tensor<0x64xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<0x64xf32> -> tensor<0xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<0xf32> -> tensor<0x64xf32>
    %y = arith.subf %a, %b : tensor<0x64xf32>
    fusion.yield %y : tensor<0x64xf32>
  }
  return %0 : tensor<0x64xf32>
}

// Blocks share a row that is too long for the registers of one.
// CHECK-LABEL: func.func @long
// CHECK: #fusion.rows<kind = inner_persistent, blocks = {{[0-9]+}}, cluster = {{[248]}}, {{.*}}traversal = resident
func.func @long(%x: tensor<4096x65536xbf16>) -> tensor<4096x65536xbf16> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<4096x65536xbf16>) -> (tensor<4096x65536xbf16>) {
    %f = arith.extf %a : tensor<4096x65536xbf16> to tensor<4096x65536xf32>
    %r = fusion.reduce maximumf %f dims = [1] : tensor<4096x65536xf32> -> tensor<4096xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<4096xf32> -> tensor<4096x65536xf32>
    %y = arith.subf %f, %b : tensor<4096x65536xf32>
    %t = arith.truncf %y : tensor<4096x65536xf32> to tensor<4096x65536xbf16>
    fusion.yield %t : tensor<4096x65536xbf16>
  }
  return %0 : tensor<4096x65536xbf16>
}

// Long rows of several warps: two start with each block.
// CHECK-LABEL: func.func @long_rows
// CHECK: #fusion.rows<kind = inner_persistent, blocks = 8192, {{.*}}, groups = 2, rows = 1,
func.func @long_rows(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<16384x4096xbf16>) -> (tensor<16384x4096xbf16>) {
    %e = arith.extf %a : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
    %max = fusion.reduce maximumf %e dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
    %max_b = fusion.broadcast %max dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
    %d = arith.subf %e, %max_b fastmath<reassoc> : tensor<16384x4096xf32>
    %p = math.exp %d fastmath<reassoc,afn> : tensor<16384x4096xf32>
    %sum = fusion.reduce add %p dims = [1] fastmath<reassoc> : tensor<16384x4096xf32> -> tensor<16384xf32>
    %sum_b = fusion.broadcast %sum dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
    %q = arith.divf %p, %sum_b : tensor<16384x4096xf32>
    %y = arith.truncf %q : tensor<16384x4096xf32> to tensor<16384x4096xbf16>
    fusion.yield %y : tensor<16384x4096xbf16>
  }
  return %0 : tensor<16384x4096xbf16>
}

// Short ones end at too different times for it.
// CHECK-LABEL: func.func @short_rows
// CHECK: #fusion.rows<kind = inner_persistent, {{.*}}, groups = 1,
func.func @short_rows(%x: tensor<16384x1536xf32>) -> tensor<16384x1536xf32> {
  %0 = fusion.segment "inner-persistent" (%a = %x : tensor<16384x1536xf32>) -> (tensor<16384x1536xf32>) {
    %max = fusion.reduce maximumf %a dims = [1] : tensor<16384x1536xf32> -> tensor<16384xf32>
    %max_b = fusion.broadcast %max dims = [0] : tensor<16384xf32> -> tensor<16384x1536xf32>
    %d = arith.subf %a, %max_b : tensor<16384x1536xf32>
    fusion.yield %d : tensor<16384x1536xf32>
  }
  return %0 : tensor<16384x1536xf32>
}
