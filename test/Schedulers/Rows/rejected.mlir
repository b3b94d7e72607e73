// What the row schedulers do not take, and why.
// RUN: fusion-opt %s --fusion-schedule -split-input-file -verify-diagnostics

func.func @no_reduction(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s = fusion.segment "inner-persistent" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    // expected-note@+1 {{inner-persistent: missing-reduction: expected a reduction of each row}}
    %y = arith.addf %a, %a : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// -----

// Each scheduler takes what the other does not.
func.func @not_persistent(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s = fusion.segment "inner-persistent" (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>) {
    // expected-note@+1 {{inner-persistent: unsupported-shape: expected elements that are needed again when the total of their row is known}}
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @persistent(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s = fusion.segment "inner-reduction" (%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
    // expected-note@+1 {{inner-reduction: unsupported-shape: expected elements that are not needed again when the total of their row is known}}
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    %y = arith.mulf %a, %b : tensor<4x8xf32>
    fusion.yield %y : tensor<4x8xf32>
  }
  return %s : tensor<4x8xf32>
}

// -----

// Of a row whose columns are 8 x 16, the maxima of those that are 16 apart.
func.func @columns_apart(%x: tensor<4x8x16xf32>) -> (tensor<4xf32>, tensor<4x16xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-reduction" (%a = %x : tensor<4x8x16xf32>) -> (tensor<4xf32>, tensor<4x16xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<4x8x16xf32> -> tensor<4xf32>
    // expected-note@+1 {{unsupported-shape: expected a reduction of whole rows or of consecutive columns of a row, but it reduces columns that lie apart}}
    %q = fusion.reduce maximumf %a dims = [1] : tensor<4x8x16xf32> -> tensor<4x16xf32>
    fusion.yield %r, %q : tensor<4xf32>, tensor<4x16xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<4x16xf32>
}

// -----

// Rows and columns both: that is what inner-outer-persistent is for.
func.func @rows_and_columns(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-reduction" (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    // expected-note@+1 {{unsupported-shape: expected a reduction of whole rows or of consecutive columns of a row, but it reduces columns that lie apart}}
    %q = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r, %q : tensor<4xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// The 5 columns of the result are not those that the first reduction reduces:
// each of them would reduce all of x again.
func.func @repeated(%x: tensor<4x8x5xf32>) -> (tensor<4x8x5xf32>, tensor<4xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-persistent" (%a = %x : tensor<4x8x5xf32>) -> (tensor<4x8x5xf32>, tensor<4xf32>) {
    // expected-note@+1 {{unsupported-shape: expected a tensor with all rows and columns of those of which a part is reduced}}
    %m = fusion.reduce maximumf %a dims = [2] : tensor<4x8x5xf32> -> tensor<4x8xf32>
    %r = fusion.reduce add %m dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %b = fusion.broadcast %m dims = [0, 1] : tensor<4x8xf32> -> tensor<4x8x5xf32>
    fusion.yield %b, %r : tensor<4x8x5xf32>, tensor<4xf32>
  }
  return %s#0, %s#1 : tensor<4x8x5xf32>, tensor<4xf32>
}

// -----

// 3 x 64 lanes have a part of the row, which no block can keep.
func.func @wide_parts(%x: tensor<4x4096x768xf32>) -> (tensor<4x4096x768xf32>, tensor<4x4096xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-persistent" (%a = %x : tensor<4x4096x768xf32>) -> (tensor<4x4096x768xf32>, tensor<4x4096xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<4x4096x768xf32> -> tensor<4xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<4xf32> -> tensor<4x4096x768xf32>
    %y = arith.mulf %a, %b : tensor<4x4096x768xf32>
    // expected-note@+1 {{on-chip-capacity: expected rows that one block keeps, or reductions of parts of a row that neighbouring lanes of a warp own}}
    %m = fusion.reduce maximumf %y dims = [2] : tensor<4x4096x768xf32> -> tensor<4x4096xf32>
    fusion.yield %y, %m : tensor<4x4096x768xf32>, tensor<4x4096xf32>
  }
  return %s#0, %s#1 : tensor<4x4096x768xf32>, tensor<4x4096xf32>
}

// -----

// The rows of 8 x 0 columns have nothing, those of 8 columns have.
func.func @empty_parts(%x: tensor<4x8x0xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-reduction" (%a = %x : tensor<4x8x0xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
    %r = fusion.reduce add %a dims = [1, 2] : tensor<4x8x0xf32> -> tensor<4xf32>
    // expected-note@+1 {{empty-extent: expected rows with elements where a part of a row is reduced}}
    %q = fusion.reduce add %a dims = [2] : tensor<4x8x0xf32> -> tensor<4x8xf32>
    fusion.yield %r, %q : tensor<4xf32>, tensor<4x8xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<4x8xf32>
}

// -----

// Every row would compute the sine.
func.func @apart(%x: tensor<4x8xf32>, %z: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-reduction" (%a = %x : tensor<4x8xf32>, %b = %z : tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
    // expected-note@+1 {{unsupported-shape: expected tensors that depend on the rows of the reductions, but some have none of their dimensions}}
    %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %q = math.sin %b : tensor<5xf32>
    fusion.yield %r, %q : tensor<4xf32>, tensor<5xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<5xf32>
}

// -----

func.func @element_type(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s = fusion.segment "inner-reduction" (%a = %x : tensor<4x8xf32>) -> (tensor<4xf32>) {
    // expected-note@+1 {{unsupported-element-type: expected f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or integers}}
    %i = arith.fptosi %a : tensor<4x8xf32> to tensor<4x8xi7>
    %f = arith.sitofp %i : tensor<4x8xi7> to tensor<4x8xf32>
    %r = fusion.reduce add %f dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

// No row, but a result that would be written by one.
func.func @no_rows(%x: tensor<0x8xf32>, %w: tensor<8xf32>) -> (tensor<0x8xf32>, tensor<8xf32>) {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s:2 = fusion.segment "inner-persistent" (%a = %x : tensor<0x8xf32>, %g = %w : tensor<8xf32>) -> (tensor<0x8xf32>, tensor<8xf32>) {
    // expected-note@+1 {{empty-extent: expected rows for the results that are not empty}}
    %r = fusion.reduce add %a dims = [1] : tensor<0x8xf32> -> tensor<0xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<0xf32> -> tensor<0x8xf32>
    %k = fusion.broadcast %g dims = [1] : tensor<8xf32> -> tensor<0x8xf32>
    %z = arith.addf %a, %k : tensor<0x8xf32>
    %y = arith.mulf %z, %b : tensor<0x8xf32>
    %h = arith.addf %g, %g : tensor<8xf32>
    fusion.yield %y, %h : tensor<0x8xf32>, tensor<8xf32>
  }
  return %s#0, %s#1 : tensor<0x8xf32>, tensor<8xf32>
}

// -----

func.func @dynamic_columns(%x: tensor<4x?xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s = fusion.segment "inner-reduction" (%a = %x : tensor<4x?xf32>) -> (tensor<4xf32>) {
    // expected-note@+1 {{dynamic-extent}}
    %r = fusion.reduce add %a dims = [1] : tensor<4x?xf32> -> tensor<4xf32>
    fusion.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

// However many rows a block takes, a grid has too few blocks.
func.func @too_many_rows(%x: tensor<17592186044416x8xf32>) -> tensor<17592186044416xf32> {
  // expected-error@+1 {{is not accepted by its scheduler}}
  %s = fusion.segment "inner-reduction" (%a = %x : tensor<17592186044416x8xf32>) -> (tensor<17592186044416xf32>) {
    // expected-note@+1 {{inner-reduction: on-chip-capacity: expected fewer rows than the blocks of a grid}}
    %r = fusion.reduce add %a dims = [1] : tensor<17592186044416x8xf32> -> tensor<17592186044416xf32>
    fusion.yield %r : tensor<17592186044416xf32>
  }
  return %s : tensor<17592186044416xf32>
}
