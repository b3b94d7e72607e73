// One kernel of each scheduler; TYPE, ADD, MUL and KIND are filled in.
func.func @f(%x: tensor<18x64xTYPE>) -> (tensor<18x64xTYPE>, tensor<64x18xTYPE>, tensor<18xTYPE>, tensor<64xTYPE>, tensor<TYPE>, tensor<18x64xTYPE>, tensor<18x64xTYPE>, tensor<18x64xTYPE>, tensor<64xTYPE>) {
  %pointwise = fusion.segment "pointwise" (%a = %x : tensor<18x64xTYPE>) -> (tensor<18x64xTYPE>) {
    %0 = ADD %a, %a : tensor<18x64xTYPE>
    fusion.yield %0 : tensor<18x64xTYPE>
  }
  %transpose = fusion.segment "transpose" (%a = %x : tensor<18x64xTYPE>) -> (tensor<64x18xTYPE>) {
    %0 = fusion.transpose %a permutation = [1, 0] : tensor<18x64xTYPE> -> tensor<64x18xTYPE>
    %1 = ADD %0, %0 : tensor<64x18xTYPE>
    fusion.yield %1 : tensor<64x18xTYPE>
  }
  %inner = fusion.segment "inner-reduction" (%a = %x : tensor<18x64xTYPE>) -> (tensor<18xTYPE>) {
    %0 = fusion.reduce KIND %a dims = [1] : tensor<18x64xTYPE> -> tensor<18xTYPE>
    fusion.yield %0 : tensor<18xTYPE>
  }
  %outer = fusion.segment "outer-reduction" (%a = %x : tensor<18x64xTYPE>) -> (tensor<64xTYPE>) {
    %0 = fusion.reduce KIND %a dims = [0] : tensor<18x64xTYPE> -> tensor<64xTYPE>
    fusion.yield %0 : tensor<64xTYPE>
  }
  %full = fusion.segment "full-reduction" (%a = %x : tensor<18x64xTYPE>) -> (tensor<TYPE>) {
    %0 = fusion.reduce KIND %a dims = [0, 1] : tensor<18x64xTYPE> -> tensor<TYPE>
    fusion.yield %0 : tensor<TYPE>
  }
  %rows = fusion.segment "inner-persistent" (%a = %x : tensor<18x64xTYPE>) -> (tensor<18x64xTYPE>) {
    %0 = fusion.reduce KIND %a dims = [1] : tensor<18x64xTYPE> -> tensor<18xTYPE>
    %1 = fusion.broadcast %0 dims = [0] : tensor<18xTYPE> -> tensor<18x64xTYPE>
    %2 = MUL %a, %1 : tensor<18x64xTYPE>
    fusion.yield %2 : tensor<18x64xTYPE>
  }
  %columns = fusion.segment "outer-persistent" (%a = %x : tensor<18x64xTYPE>) -> (tensor<18x64xTYPE>) {
    %0 = fusion.reduce KIND %a dims = [0] : tensor<18x64xTYPE> -> tensor<64xTYPE>
    %1 = fusion.broadcast %0 dims = [1] : tensor<64xTYPE> -> tensor<18x64xTYPE>
    %2 = MUL %a, %1 : tensor<18x64xTYPE>
    fusion.yield %2 : tensor<18x64xTYPE>
  }
  %both:2 = fusion.segment "inner-outer-persistent" (%a = %x : tensor<18x64xTYPE>) -> (tensor<18x64xTYPE>, tensor<64xTYPE>) {
    %0 = fusion.reduce KIND %a dims = [1] : tensor<18x64xTYPE> -> tensor<18xTYPE>
    %1 = fusion.broadcast %0 dims = [0] : tensor<18xTYPE> -> tensor<18x64xTYPE>
    %2 = MUL %a, %1 : tensor<18x64xTYPE>
    %3 = fusion.reduce KIND %2 dims = [0] : tensor<18x64xTYPE> -> tensor<64xTYPE>
    fusion.yield %2, %3 : tensor<18x64xTYPE>, tensor<64xTYPE>
  }
  return %pointwise, %transpose, %inner, %outer, %full, %rows, %columns, %both#0, %both#1 : tensor<18x64xTYPE>, tensor<64x18xTYPE>, tensor<18xTYPE>, tensor<64xTYPE>, tensor<TYPE>, tensor<18x64xTYPE>, tensor<18x64xTYPE>, tensor<18x64xTYPE>, tensor<64xTYPE>
}
