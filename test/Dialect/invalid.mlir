// Every way in which an operation or attribute of the dialect can be wrong.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect

func.func @broadcast_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'fusion.broadcast' op expected equal element types, but got 'f32' and 'f64'}}
  %0 = fusion.broadcast %x dims = [0] : tensor<4xf32> -> tensor<4xf64>
  return
}

// -----

func.func @broadcast_too_few_dims(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected one result dimension for each of the 2 operand dimensions, but got 1}}
  %0 = fusion.broadcast %x dims = [0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_dims_of_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected one result dimension for each of the 0 operand dimensions, but got 1}}
  %0 = fusion.broadcast %x dims = [0] : tensor<f32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected dimensions in [0, 1), but got -1}}
  %0 = fusion.broadcast %x dims = [-1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_out_of_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected dimensions in [0, 2), but got 9223372036854775807}}
  %0 = fusion.broadcast %x dims = [9223372036854775807] : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_result_of_lower_rank(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected dimensions in [0, 1), but got 1}}
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_twice_the_same(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected unique, sorted dimensions, but got 1 after 1}}
  %0 = fusion.broadcast %x dims = [1, 1] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_transposes(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected unique, sorted dimensions, but got 0 after 1}}
  %0 = fusion.broadcast %x dims = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_grows_2(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected operand dimension 0 to have static extent 1 or that of result dimension 1 (8), but got 2}}
  %0 = fusion.broadcast %x dims = [1] : tensor<2xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_shrinks_to_1(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected operand dimension 0 to have static extent 1 or that of result dimension 0 (1), but got 2}}
  %0 = fusion.broadcast %x dims = [0] : tensor<2xf32> -> tensor<1xf32>
  return
}

// -----

func.func @broadcast_grows_dynamic(%x: tensor<?xf32>) {
  // expected-error@+1 {{expected operand dimension 0 to have static extent 1 or that of result dimension 0 (8), but got ?}}
  %0 = fusion.broadcast %x dims = [0] : tensor<?xf32> -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_forgets_extent(%x: tensor<8xf32>) {
  // expected-error@+1 {{expected operand dimension 0 to have static extent 1 or that of result dimension 0 (?), but got 8}}
  %0 = fusion.broadcast %x dims = [0] : tensor<8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_missing_size(%x: tensor<1xf32>, %n: index) {
  // expected-error@+1 {{expected one index operand for each of the 2 new or grown dynamic extents, but got 1}}
  %0 = fusion.broadcast %x [%n] dims = [0] : tensor<1xf32> -> tensor<?x?xf32>
  return
}

// -----

// A mapped `?` takes no operand.
func.func @broadcast_extra_size(%x: tensor<?xf32>, %n: index) {
  // expected-error@+1 {{expected one index operand for each of the 0 new or grown dynamic extents, but got 1}}
  %0 = fusion.broadcast %x [%n] dims = [0] : tensor<?xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @broadcast_encoding(%x: tensor<4xf32, "tiled">) {
  // expected-error@+1 {{expected tensors without encoding, but got 'tensor<4xf32, "tiled">'}}
  %0 = fusion.broadcast %x dims = [0] : tensor<4xf32, "tiled"> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_result_encoding(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected tensors without encoding, but got 'tensor<4xf32, "tiled">'}}
  %0 = fusion.broadcast %x dims = [0] : tensor<4xf32> -> tensor<4xf32, "tiled">
  return
}

// -----

func.func @broadcast_unranked(%x: tensor<*xf32>) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fusion.broadcast %x dims = [0] : tensor<*xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_unranked_generic(%x: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of element type f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64 values, but got 'tensor<*xf32>'}}
  %0 = "fusion.broadcast"(%x) <{dims = array<i64: 0>}> : (tensor<*xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_without_dims(%x: tensor<4xf32>) {
  // expected-error@+1 {{requires attribute 'dims'}}
  %0 = "fusion.broadcast"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_dims_of_another_kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{Invalid attribute `dims` in property conversion: [0]}}
  %0 = "fusion.broadcast"(%x) <{dims = [0]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @element_type_index(%x: tensor<4xindex>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of element type f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64 values, but got 'tensor<4xindex>'}}
  %0 = fusion.transpose %x permutation = [0] : tensor<4xindex> -> tensor<4xindex>
  return
}

// -----

func.func @element_type_i4(%x: tensor<4xi4>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of element type f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64 values, but got 'tensor<4xi4>'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xi4> -> tensor<i4>
  return
}

// -----

func.func @element_type_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of element type f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i1, i8, i16, i32 or i64 values, but got 'tensor<4xcomplex<f32>>'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xcomplex<f32>> -> tensor<complex<f32>>
  return
}

// -----

func.func @squeeze_extent_4(%x: tensor<1x4xf32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected static extent 1 in dimension 1, but got 'tensor<1x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [1] : tensor<1x4xf32> -> tensor<1xf32>
  return
}

// -----

func.func @squeeze_dynamic(%x: tensor<1x?xf32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected static extent 1 in dimension 1, but got 'tensor<1x?xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [1] : tensor<1x?xf32> -> tensor<1xf32>
  return
}

// -----

func.func @squeeze_out_of_range(%x: tensor<1xf32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected dimensions in [0, 1), but got 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [1] : tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @squeeze_negative(%x: tensor<1xf32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected dimensions in [0, 1), but got -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [-1] : tensor<1xf32> -> tensor<f32>
  return
}

// -----

func.func @squeeze_scalar(%x: tensor<f32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected dimensions in [0, 0), but got 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [0] : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @squeeze_unsorted(%x: tensor<1x1xf32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected unique, sorted dimensions, but got 0 after 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [1, 0] : tensor<1x1xf32> -> tensor<f32>
  return
}

// -----

func.func @squeeze_twice_the_same(%x: tensor<1x1xf32>) {
  // expected-error@+2 {{'fusion.squeeze' op expected unique, sorted dimensions, but got 0 after 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.squeeze %x dims = [0, 0] : tensor<1x1xf32> -> tensor<f32>
  return
}

// -----

func.func @squeeze_encoding(%x: tensor<1xf32, "tiled">) {
  // expected-error@+1 {{expected tensors without encoding, but got 'tensor<1xf32, "tiled">'}}
  %0 = fusion.squeeze %x dims = [0] : tensor<1xf32, "tiled"> -> tensor<f32>
  return
}

// -----

func.func @transpose_too_short(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{'fusion.transpose' op expected a permutation of the 2 operand dimensions, but got [0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.transpose %x permutation = [0] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @transpose_repeats(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{'fusion.transpose' op expected a permutation of the 2 operand dimensions, but got [1, 1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.transpose %x permutation = [1, 1] : tensor<4x8xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @transpose_out_of_range(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{'fusion.transpose' op expected a permutation of the 2 operand dimensions, but got [0, 2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.transpose %x permutation = [0, 2] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_negative(%x: tensor<4x8xf32>) {
  // expected-error@+2 {{'fusion.transpose' op expected a permutation of the 2 operand dimensions, but got [-1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = fusion.transpose %x permutation = [-1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @transpose_encoding(%x: tensor<4xf32, "tiled">) {
  // expected-error@+1 {{expected tensors without encoding, but got 'tensor<4xf32, "tiled">'}}
  %0 = fusion.transpose %x permutation = [0] : tensor<4xf32, "tiled"> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_out_of_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{'fusion.reduce' op expected dimensions in [0, 1), but got 1}}
  %0 = fusion.reduce add %x dims = [1] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{'fusion.reduce' op expected dimensions in [0, 1), but got -1}}
  %0 = fusion.reduce add %x dims = [-1] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{'fusion.reduce' op expected dimensions in [0, 0), but got 0}}
  %0 = fusion.reduce add %x dims = [0] : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @reduce_unsorted(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected unique, sorted dimensions, but got 0 after 1}}
  %0 = fusion.reduce add %x dims = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_twice_the_same(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected unique, sorted dimensions, but got 1 after 1}}
  %0 = fusion.reduce add %x dims = [1, 1] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_result_shape(%x: tensor<4x?xf32>) {
  // expected-error@+1 {{expected result type 'tensor<?xf64>', but got 'tensor<4xf64>'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4x?xf32> -> tensor<4xf64>
  return
}

// -----

// Unit dimensions are not kept.
func.func @reduce_keeps_rank(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected result type 'tensor<4xf32>', but got 'tensor<4x1xf32>'}}
  %0 = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @reduce_narrows(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected the operand's element type 'f32' or a wider float, but got 'bf16'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xf32> -> tensor<bf16>
  return
}

// -----

func.func @reduce_other_float_of_the_same_width(%x: tensor<4xbf16>) {
  // expected-error@+1 {{expected the operand's element type 'bf16' or a wider float, but got 'f16'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xbf16> -> tensor<f16>
  return
}

// -----

func.func @reduce_wider_integer(%x: tensor<4xi8>) {
  // expected-error@+1 {{expected the operand's element type 'i8' or a wider float, but got 'i32'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xi8> -> tensor<i32>
  return
}

// -----

func.func @reduce_integer_to_float(%x: tensor<4xi8>) {
  // expected-error@+1 {{expected the operand's element type 'i8' or a wider float, but got 'f32'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xi8> -> tensor<f32>
  return
}

// -----

func.func @reduce_integer_kind_on_floats(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a kind for floats (add, mul, minimumf, maximumf, minnumf, maxnumf), but got maxsi}}
  %0 = fusion.reduce maxsi %x dims = [0] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_float_kind_on_integers(%x: tensor<4xi1>) {
  // expected-error@+1 {{expected a kind for integers (add, mul, minsi, minui, maxsi, maxui, and, or, xor), but got maximumf}}
  %0 = fusion.reduce maximumf %x dims = [0] : tensor<4xi1> -> tensor<i1>
  return
}

// -----

func.func @reduce_unknown_kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [add, mul, minimumf, maximumf, minnumf, maxnumf, minsi, minui, maxsi, maxui, and, or, xor]}}
  %0 = fusion.reduce mean %x dims = [0] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_kind_out_of_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{Invalid attribute `kind` in property conversion: 13 : i32}}
  %0 = "fusion.reduce"(%x) <{dims = array<i64: 0>, kind = 13 : i32}> : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_encoding(%x: tensor<4xf32, "tiled">) {
  // expected-error@+1 {{expected tensors without encoding, but got 'tensor<4xf32, "tiled">'}}
  %0 = fusion.reduce add %x dims = [0] : tensor<4xf32, "tiled"> -> tensor<f32>
  return
}

// -----

func.func @iota_rank() {
  // expected-error@+1 {{expected one dimension, but got 'tensor<4x8xi32>'}}
  %0 = fusion.iota : tensor<4x8xi32>
  return
}

// -----

func.func @iota_element_type() {
  // expected-error@+1 {{must be ranked tensor of 8-bit signless integer or 16-bit signless integer or 32-bit signless integer or 64-bit signless integer values}}
  %0 = fusion.iota : tensor<4xf32>
  return
}

// -----

func.func @iota_sizes(%n: index) {
  // expected-error@+1 {{expected 0 index operands, one for each dynamic extent, but got 1}}
  %0 = fusion.iota [%n] : tensor<4xi32>
  return
}

// -----

func.func @iota_missing_size() {
  // expected-error@+1 {{expected 1 index operands, one for each dynamic extent, but got 0}}
  %0 = fusion.iota : tensor<?xi32>
  return
}

// -----

func.func @iota_encoding() {
  // expected-error@+1 {{expected tensors without encoding}}
  %0 = fusion.iota : tensor<4xi32, "tiled">
  return
}
