// Every way in which a segment, its yield or its schedule can be wrong.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect

func.func @scheduler_missing(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected the name of a scheduler as a string}}
  fusion.segment (%a = %x : tensor<4xf32>) -> () {
  }
  return
}

// -----

func.func @scheduler_empty() {
  // expected-error@+1 {{'fusion.segment' op expected the name of a scheduler, but got none}}
  fusion.segment "" () -> () {
  }
  return
}

// -----

func.func @nested(%x: tensor<4xf32>) {
  fusion.segment "outer" (%a = %x : tensor<4xf32>) -> () {
    // expected-error@+1 {{'fusion.segment' op expected no segment around it: segments do not nest}}
    fusion.segment "inner" (%b = %a : tensor<4xf32>) -> () {
    }
  }
  return
}

// -----

func.func @nested_deeper(%c: i1) {
  fusion.segment "outer" (%a = %c : i1) -> () {
    scf.if %a {
      // expected-error@+1 {{expected no segment around it: segments do not nest}}
      fusion.segment "inner" () -> () {
      }
    }
  }
  return
}

// -----

func.func @argument_count(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected region arguments of the operands' types ('tensor<4xf32>'), but got ('tensor<4xf32>', 'f32')}}
  "fusion.segment"(%x) <{scheduler = "s"}> ({
  ^bb0(%a: tensor<4xf32>, %b: f32):
    fusion.yield
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @argument_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected region arguments of the operands' types ('tensor<4xf32>'), but got ('tensor<?xf32>')}}
  "fusion.segment"(%x) <{scheduler = "s"}> ({
  ^bb0(%a: tensor<?xf32>):
    fusion.yield
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @yield_too_few(%x: tensor<4xf32>) {
  %0 = fusion.segment "s" (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    // expected-error@+1 {{'fusion.yield' op expected values of types ('tensor<4xf32>'), but got ()}}
    fusion.yield
  }
  return
}

// -----

func.func @yield_type(%x: tensor<4xf32>) {
  %0 = fusion.segment "s" (%a = %x : tensor<4xf32>) -> (tensor<?xf32>) {
    // expected-error@+1 {{'fusion.yield' op expected values of types ('tensor<?xf32>'), but got ('tensor<4xf32>')}}
    fusion.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @yield_scalar(%x: f32) {
  fusion.segment "s" (%a = %x : f32) -> () {
    // expected-error@+1 {{'fusion.yield' op operand #0 must be variadic of ranked tensor}}
    fusion.yield %a : f32
  }
  return
}

// -----

func.func @yield_outside() {
  // expected-error@+1 {{'fusion.yield' op expects parent op 'fusion.segment'}}
  fusion.yield
}

// -----

func.func @other_terminator(%x: tensor<4xf32>) {
  // expected-error@+2 {{expects regions to end with 'fusion.yield', found 'test.end'}}
  // expected-note@+1 {{in custom textual format, the absence of terminator implies 'fusion.yield'}}
  "fusion.segment"(%x) <{scheduler = "s"}> ({
  ^bb0(%a: tensor<4xf32>):
    "test.end"() : () -> ()
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @empty_block(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a non-empty block}}
  "fusion.segment"(%x) <{scheduler = "s"}> ({
  ^bb0(%a: tensor<4xf32>):
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @no_block(%x: tensor<4xf32>) {
  // expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "fusion.segment"(%x) <{scheduler = "s"}> ({
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @two_blocks() {
  // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
  fusion.segment "s" () -> () {
    cf.br ^next
  ^next:
    fusion.yield
  }
  return
}

// -----

func.func @two_regions() {
  // expected-error@+1 {{requires one region}}
  "fusion.segment"() <{scheduler = "s"}> ({
    fusion.yield
  }, {
    fusion.yield
  }) : () -> ()
  return
}

// -----

func.func @uses_value_from_above(%x: tensor<4xf32>) {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = fusion.segment "s" () -> (tensor<4xf32>) {
    // expected-error@+1 {{using value defined outside the region}}
    fusion.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @side_effect(%x: f32, %m: memref<4xf32>) {
  fusion.segment "s" (%a = %x : f32) -> () {
    // expected-error@+1 {{'memref.alloc' op expected only pure operations in a segment}}
    %0 = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

func.func private @callee()

func.func @call() {
  fusion.segment "s" () -> () {
    // expected-error@+1 {{'func.call' op expected only pure operations in a segment}}
    func.call @callee() : () -> ()
  }
  return
}

// -----

func.func @side_effect_within(%c: i1) {
  fusion.segment "s" (%a = %c : i1) -> () {
    // expected-error@+1 {{'scf.if' op expected only pure operations in a segment}}
    scf.if %a {
      %0 = memref.alloc() : memref<4xf32>
    }
  }
  return
}

// -----

func.func @operand_type(%m: memref<4xf32>) {
  // expected-error@+1 {{operand #0 must be variadic of ranked tensor}}
  fusion.segment "s" (%a = %m : memref<4xf32>) -> () {
  }
  return
}

// -----

func.func @result_type(%x: f32) {
  // expected-error@+1 {{result #0 must be variadic of ranked tensor}}
  %0 = "fusion.segment"(%x) <{scheduler = "s"}> ({
  ^bb0(%a: f32):
    fusion.yield
  }) : (f32) -> f32
  return
}

// -----

func.func @binding_without_operand(%x: f32) {
  // expected-error@+1 {{expected '='}}
  fusion.segment "s" (%a : f32) -> () {
  }
  return
}

// -----

func.func @binding_of_another_type(%x: f32) { // expected-note {{prior use here}}
  // expected-error@+1 {{use of value '%x' expects different type than prior uses: 'f64' vs 'f32'}}
  fusion.segment "s" (%a = %x : f64) -> () {
  }
  return
}

// -----

func.func @schedule_of_another_kind() {
  // expected-error@+1 {{expected a schedule attribute, but got 4 : i32}}
  fusion.segment "s" schedule = 4 : i32 () -> () {
  }
  return
}

// -----

func.func @schedule_of_another_kind_generic() {
  // expected-error@+1 {{Invalid attribute `schedule` in property conversion: 4 : i32}}
  "fusion.segment"() <{scheduler = "s", schedule = 4 : i32}> ({
    fusion.yield
  }) : () -> ()
  return
}

// -----

#schedule = #fusion.inner_outer<blocks = 1, threads = 32, groups = 1, rows = 1, width = 1, vectors = 1, loader = direct, stages = 1, keep = registers, params = registers, finish_blocks = 0, finish_threads = 0, shared_bytes = 0>
func.func @schedule_of_another_scheduler() {
  // expected-error@+1 {{expected a schedule of scheduler 'pointwise', but got one of 'inner-outer-persistent'}}
  fusion.segment "pointwise" schedule = #schedule () -> () {
  }
  return
}
