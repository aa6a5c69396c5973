//! Time of a Newton matrix of six links, factored and solved: the shortest of many short batches
//! counts, so that it can be found on a busy machine. `cargo bench --bench six_links` compares.

use std::time::Instant;

use nalgebra::DVector;
use polhode_benches::six_links::{Chain, Newton, RIGHT};

const BATCHES: usize = 20_000;
const CALLS: u32 = 20;

/// Nanoseconds of a call in the shortest batch.
fn shortest(mut call: impl FnMut()) -> f64 {
    let batch = |_| {
        let clock = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..BATCHES).map(batch).fold(f64::INFINITY, f64::min)
}

fn main() {
    let mut chain = Newton::new(Chain).expect("the start is admissible");
    let factor = shortest(|| chain.factor().expect("a regular matrix"));
    let both = shortest(|| {
        chain.factor().expect("a regular matrix");
        chain.solve(&RIGHT);
    });
    println!("assemble and factor {factor:.0} ns, with solve {both:.0} ns");
    let matrix = chain.matrix().expect("a regular matrix");
    let right = DVector::from_row_slice(&RIGHT);
    let dense = shortest(|| {
        let found = matrix.clone().lu().solve(&right);
        std::hint::black_box(found);
    });
    println!("dense LU of the same matrix {dense:.0} ns");
}
