// The sums of the rows and of the columns of one tensor, read once.

func.func @row_column_sums(%x: tensor<16384x4096xbf16>)
    -> (tensor<16384xf32>, tensor<4096xf32>) {
  %rows = fusion.reduce add %x dims = [1] : tensor<16384x4096xbf16> -> tensor<16384xf32>
  %columns = fusion.reduce add %x dims = [0] : tensor<16384x4096xbf16> -> tensor<4096xf32>
  return %rows, %columns : tensor<16384xf32>, tensor<4096xf32>
}
