//! Makes steps of the heavy top and nothing else, for counting instructions:
//! `steps PATH GROUP METHOD COUNT`.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::System;
use polhode_models::hand::{Kernel, STEP};
use polhode_tests::{Path, with_top};

fn run<S: System, M: Method<S>>(system: &S, method: &M, count: usize) -> f64 {
    let h = 1e-3;
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system).expect("valid options");
    let mut stats = Stats::default();
    stepper
        .start(system, &mut state, h)
        .expect("starting values");
    let clock = std::time::Instant::now();
    for _ in 0..count {
        stepper
            .step(system, &mut state, h, &mut stats)
            .expect("a step");
    }
    #[expect(clippy::cast_precision_loss, reason = "for display")]
    let nanoseconds = clock.elapsed().as_nanos() as f64 / count as f64;
    println!("v = {:?}, {nanoseconds:.0} ns per step", state.v.as_ref());
    nanoseconds
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, group, method, count] = &arguments[..] else {
        eprintln!("usage: steps generic|generated|hand GROUP he5|ga3 COUNT");
        std::process::exit(2);
    };
    let hand = path == "hand";
    let path = if path == "generic" {
        Path::Generic
    } else {
        Path::Generated
    };
    let group: GroupKind = group.parse().expect("a group");
    let count: usize = count.parse().expect("a number");
    if hand {
        let kernel = Kernel::named(method).expect("he5 or ga3");
        let prepared = kernel.prepared(group, STEP).expect("starting values");
        let (_, top) = prepared.expect("SO3xR3 or SE3").batch(count);
        println!("v = {:?}", top.parts().1);
        return;
    }
    if method == "he5" {
        with_top!(path, group, |system| run(
            &system,
            &HalfExplicit::order5(),
            count
        ));
    } else {
        with_top!(path, group, |system| run(
            &system,
            &GeneralizedAlpha::index3(),
            count
        ));
    }
}
