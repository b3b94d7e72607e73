func.func @sums(%x: tensor<4x64xf32>) -> (tensor<4xf32>, tensor<1xf32>) {
  %r = fusion.reduce add %x dims = [1] : tensor<4x64xf32> -> tensor<4xf32>
  %s = fusion.reduce add %r dims = [0] : tensor<4xf32> -> tensor<f32>
  %out = fusion.broadcast %s dims = [] : tensor<f32> -> tensor<1xf32>
  return %r, %out : tensor<4xf32>, tensor<1xf32>
}
