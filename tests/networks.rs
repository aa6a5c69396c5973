//! Models with arrays that are no trees: loops, springs, drivers, controls, all joints.
//!
//! | file       | compares with                                                        |
//! |------------|----------------------------------------------------------------------|
//! | `unrolled` | the same model written body by body, whose code is generated          |
//! | `by_hand`  | a description put together by hand, function by function              |
//! | `rings`    | conserved quantities, and the same matrices eliminated as dense ones  |
//! | `stars`    | the same matrices eliminated as dense ones, for bodies that hold many others |
//! | `turning`  | the same, and joints, for bodies that turn about fixed origins        |
//! | `refused`  | what constructors reject, with names and numbers                      |

#[path = "networks/by_hand.rs"]
mod by_hand;
#[path = "networks/refused.rs"]
mod refused;
#[path = "networks/rings.rs"]
mod rings;
#[path = "networks/stars.rs"]
mod stars;
#[path = "networks/turning.rs"]
mod turning;
#[path = "networks/unrolled.rs"]
mod unrolled;

use polhode::output::Output;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::System;

/// The state at the end of a run with steps of a given size.
fn end<S: System, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> State<S> {
    let run = method
        .simulate(system, 0.0..=end)
        .step(h)
        .output(Output::EndOnly)
        .run()
        .unwrap_or_else(|error| panic!("{error}"));
    run.last().clone()
}
