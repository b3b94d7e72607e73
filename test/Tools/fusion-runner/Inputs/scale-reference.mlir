// What scale.mlir computes, on tensors.
func.func @scale(%x: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %b = tensor.splat %s[%n] : tensor<?xf32>
  %y = arith.mulf %x, %b : tensor<?xf32>
  return %y : tensor<?xf32>
}
