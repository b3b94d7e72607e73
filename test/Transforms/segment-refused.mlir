// Every reason for which a candidate is refused: an error at the operation that
// caused it, with the scheduler's typed reason.
// RUN: fusion-opt %s --fusion-segment="schedulers=inner-outer-persistent refuse-unscheduled" -split-input-file -verify-diagnostics

func.func @no_reduction(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+2 {{'arith.addf' op is accepted by no scheduler}}
  // expected-note@+1 {{inner-outer-persistent: missing-reduction: expected a reduction along the rows or the columns}}
  %y = arith.addf %x, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @rows_only(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{missing-reduction: expected a reduction along the columns (the outermost dimensions) beside those along the rows}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @columns_only(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{missing-reduction: expected a reduction along the rows (the innermost dimensions) beside those along the columns}}
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// A transpose of the rows and columns: they stand in another order there.
func.func @transpose(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) {
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'fusion.transpose' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected the dimensions of the rows before those of the columns, each once and in one order (dimension 1)}}
  %t = fusion.transpose %x permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c, %t : tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>
}

// -----

// A transpose that keeps the order is still an operation without code.
func.func @identity_transpose(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'fusion.transpose' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-operation: expected element-wise operations with one result, broadcasts, squeezes, positions and reductions, but got 'fusion.transpose'}}
  %t = fusion.transpose %x permutation = [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %r = fusion.reduce add %t dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %t dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<4xf32>, tensor<8xf32>
}

// -----

func.func @two_results(%x: tensor<4x8xi32>) -> (tensor<4xi32>, tensor<8xi32>) {
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'arith.mulsi_extended' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-operation: expected element-wise operations with one result}}
  %low, %high = arith.mulsi_extended %x, %x : tensor<4x8xi32>
  %r = fusion.reduce add %low dims = [1] : tensor<4x8xi32> -> tensor<4xi32>
  %c = fusion.reduce add %high dims = [0] : tensor<4x8xi32> -> tensor<8xi32>
  return %r, %c : tensor<4xi32>, tensor<8xi32>
}

// -----

// A segment holds only what is defined for every element.
func.func @divisor(%x: tensor<4x8xi32>, %y: tensor<4x8xi32>) -> (tensor<4xi32>, tensor<8xi32>) {
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'arith.divsi' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-operation: expected operations that are defined for all operands, but 'arith.divsi' is not: a divisor may be zero}}
  %q = arith.divsi %x, %y : tensor<4x8xi32>
  %r = fusion.reduce add %q dims = [1] : tensor<4x8xi32> -> tensor<4xi32>
  %c = fusion.reduce add %q dims = [0] : tensor<4x8xi32> -> tensor<8xi32>
  return %r, %c : tensor<4xi32>, tensor<8xi32>
}

// -----

func.func @full_reduction(%x: tensor<4x8xf32>) -> tensor<f32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected a reduction that keeps the rows or the columns, but it removes every dimension}}
  %r = fusion.reduce add %x dims = [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduction_of_rows(%x: tensor<4x8xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  // expected-note@+3 {{inner-outer-persistent: unsupported-shape: expected a reduction that keeps the rows or the columns}}
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected a reduction along the rows or along the columns of the whole space}}
  %s = fusion.reduce add %r dims = [0] : tensor<4xf32> -> tensor<f32>
  return %s, %c : tensor<f32>, tensor<8xf32>
}

// -----

func.func @middle(%x: tensor<2x3x8xf32>) -> tensor<2x8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected the reduced dimensions to be the innermost or the outermost ones (dimension 1)}}
  %r = fusion.reduce add %x dims = [1] : tensor<2x3x8xf32> -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

// One dimension of the rows without the other.
func.func @part_of_rows(%x: tensor<2x3x8xf32>, %p: tensor<3x8xf32>)
    -> (tensor<2x3xf32>, tensor<8xf32>) {
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'fusion.broadcast' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected all dimensions of the rows or of the columns or none of them, but a tensor of type tensor<3x8xf32> has some}}
  %b = fusion.broadcast %p dims = [1, 2] : tensor<3x8xf32> -> tensor<2x3x8xf32>
  %y = arith.mulf %x, %b : tensor<2x3x8xf32>
  %r = fusion.reduce add %y dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %c = fusion.reduce add %y dims = [0, 1] : tensor<2x3x8xf32> -> tensor<8xf32>
  return %r, %c : tensor<2x3xf32>, tensor<8xf32>
}

// -----

// A value that is added along one dimension and along the other makes them one
// loop.
func.func @rows_are_columns(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected each dimension to be a loop of its own (dimension 1)}}
  %r = fusion.reduce add %x dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<8x8xf32> -> tensor<8xf32>
  %z = arith.addf %r, %c : tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

// A third tensor of another size that shares only an operand.
func.func @other_dimension(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<4x8x2xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'fusion.broadcast' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected only the dimensions of the rows and columns, but a tensor of type tensor<4x8x2xf32> has another (dimension 2)}}
  %b = fusion.broadcast %x dims = [0, 1] : tensor<4x8xf32> -> tensor<4x8x2xf32>
  return %r, %c, %b : tensor<4xf32>, tensor<8xf32>, tensor<4x8x2xf32>
}

// -----

func.func @too_many_elements(%x: tensor<4611686018427387904x4xf32>)
    -> (tensor<4611686018427387904xf32>, tensor<4xf32>) {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-shape: expected fewer than 2^63 elements (dimension 1)}}
  %r = fusion.reduce add %x dims = [1] : tensor<4611686018427387904x4xf32> -> tensor<4611686018427387904xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4611686018427387904x4xf32> -> tensor<4xf32>
  return %r, %c : tensor<4611686018427387904xf32>, tensor<4xf32>
}

// -----

// Kernels round to nearest even: another cast stays outside, as what is foreign does.
func.func @rounding_mode(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<4x8xf16>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %y = arith.truncf %x to_nearest_away : tensor<4x8xf32> to tensor<4x8xf16>
  return %r, %c, %y : tensor<4xf32>, tensor<8xf32>, tensor<4x8xf16>
}

// -----

func.func @i4(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<4x8xi4>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'arith.fptosi' op is accepted by no scheduler}}
  // expected-note@+1 {{unsupported-element-type: expected f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or integers of 1, 8, 16, 32 or 64 bits, but got i4}}
  %b = arith.fptosi %x : tensor<4x8xf32> to tensor<4x8xi4>
  return %r, %c, %b : tensor<4xf32>, tensor<8xf32>, tensor<4x8xi4>
}

// -----

func.func @dynamic(%x: tensor<8x?xf32>) -> (tensor<8xf32>, tensor<?xf32>) {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{dynamic-extent: expected an extent that is known at compile time (dimension 1)}}
  %r = fusion.reduce add %x dims = [1] : tensor<8x?xf32> -> tensor<8xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<8x?xf32> -> tensor<?xf32>
  return %r, %c : tensor<8xf32>, tensor<?xf32>
}

// -----

func.func @empty(%x: tensor<4x0xf32>) -> (tensor<4xf32>, tensor<0xf32>) {
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{empty-extent: expected at least one element (dimension 1)}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x0xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x0xf32> -> tensor<0xf32>
  return %r, %c : tensor<4xf32>, tensor<0xf32>
}

// -----

func.func @column_total_in_row(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  // expected-note@+3 {{inner-outer-persistent: missing-reduction}}
  // expected-error@+2 {{'fusion.broadcast' op is accepted by no scheduler}}
  // expected-note@+1 {{cross-column-dependency: expected no value of a row to need the total of a column, which is known only when all rows are done}}
  %b = fusion.broadcast %c dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %y = arith.subf %x, %b : tensor<4x8xf32>
  return %r, %y : tensor<4xf32>, tensor<4x8xf32>
}

// -----

// Sixteen blocks with all their registers are not enough for four accumulators.
func.func @registers(%x: tensor<64x262144xf32>)
    -> (tensor<64xf32>, tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<64x262144xf32> -> tensor<64xf32>
  // expected-note-re@+1 {{on-chip-capacity: expected the accumulators of the column reductions to fit in the registers of a thread (needed {{[1-9][0-9]*}}, available {{[1-9][0-9]*}})}}
  %c0 = fusion.reduce add %x dims = [0] : tensor<64x262144xf32> -> tensor<262144xf32>
  // expected-note@+2 {{missing-reduction: expected a reduction along the rows}}
  // expected-error@+1 {{is accepted by no scheduler}}
  %c1 = fusion.reduce mul %x dims = [0] : tensor<64x262144xf32> -> tensor<262144xf32>
  %c2 = fusion.reduce maximumf %x dims = [0] : tensor<64x262144xf32> -> tensor<262144xf32>
  %c3 = fusion.reduce minimumf %x dims = [0] : tensor<64x262144xf32> -> tensor<262144xf32>
  return %r, %c0, %c1, %c2, %c3
      : tensor<64xf32>, tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>, tensor<262144xf32>
}

// -----

func.func @row_length(%x: tensor<2x1000003xf32>) -> (tensor<2xf32>, tensor<1000003xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<2x1000003xf32> -> tensor<2xf32>
  // expected-error@+2 {{is accepted by no scheduler}}
  // expected-note@+1 {{on-chip-capacity: expected a row short enough for the blocks that can share it, in columns (needed 1000003, available 524288)}}
  %c = fusion.reduce add %x dims = [0] : tensor<2x1000003xf32> -> tensor<1000003xf32>
  return %r, %c : tensor<2xf32>, tensor<1000003xf32>
}

// -----

// A call that uses one member and feeds another: the two are refused each on its
// own.
func.func private @between(tensor<4xf32>) -> tensor<4xf32>
func.func @not_convex(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note@+1 {{missing-reduction: expected a reduction along the columns}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %g = call @between(%r) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+2 {{'fusion.broadcast' op is accepted by no scheduler}}
  // expected-note@+1 {{missing-reduction: expected a reduction along the rows}}
  %gb = fusion.broadcast %g dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %y = arith.mulf %x, %gb : tensor<4x8xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// Two calls keep their order: what the first reads must be there before what the
// second gives.
func.func private @use(tensor<4xf32>)
func.func private @make() -> tensor<8xf32>
func.func @calls_in_order(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{'fusion.reduce' op is accepted by no scheduler}}
  // expected-note@+1 {{missing-reduction: expected a reduction along the columns}}
  %r = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  call @use(%r) : (tensor<4xf32>) -> ()
  %g = call @make() : () -> tensor<8xf32>
  // expected-error@+2 {{'fusion.broadcast' op is accepted by no scheduler}}
  // expected-note@+1 {{missing-reduction: expected a reduction along the rows}}
  %gb = fusion.broadcast %g dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %y = arith.mulf %x, %gb : tensor<4x8xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %c : tensor<8xf32>
}
