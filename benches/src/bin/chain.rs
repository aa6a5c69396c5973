//! Nanoseconds per element and step of chains and rods, the smallest over batches:
//! `chain [FAMILY] [METHOD] [N ...]`.

use polhode::chain::{
    ChainStart, InternalConstraint, Link, LinkChain, Load, Profile, Rod, RodStart, Section, Tree,
};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::{LieGroup, S3sR3};
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::System;

/// Steps per batch: enough for the clock, few enough for many batches.
const WORK: usize = 100_000;
const BATCHES: usize = 30;

fn measure<S: System, M: Method<S>>(what: &str, system: &S, method: &M, count: usize, h: f64) {
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system).expect("valid options");
    let mut stats = Stats::default();
    stepper
        .start(system, &mut state, h)
        .expect("starting values");
    let steps = (WORK / count).max(2);
    let mut best = f64::INFINITY;
    let start = state.clone();
    for _ in 0..BATCHES {
        // From the start again, so that the motion stays gentle.
        state.clone_from(&start);
        let clock = std::time::Instant::now();
        for _ in 0..steps {
            stepper
                .step(system, &mut state, h, &mut stats)
                .expect("a step");
        }
        #[expect(clippy::cast_precision_loss, reason = "for display")]
        let time = clock.elapsed().as_nanos() as f64 / (steps * count) as f64;
        best = best.min(time);
    }
    #[expect(clippy::cast_precision_loss, reason = "for display")]
    let iterations = stats.newton_iterations as f64 / (BATCHES * steps) as f64;
    println!(
        "{what:>24} N = {count:>6}: {best:8.1} ns per element and step, {iterations:.2} iterations"
    );
}

/// The flying spaghetti, bent and stretched everywhere at the start: a straight one would be at
/// rest beyond the reach of a wave, and zeros and denormal numbers are what one would measure.
/// Its elements are of one length, as links are: shorter ones would be another problem, with other
/// Newton iterations.
fn bent_rod(count: usize) -> Tree {
    let section = Section {
        density: 1.0,
        inertia: [10.0; 3],
        stiffness: [500.0, 500.0, 500.0, 1e4, 1e4, 1e4],
        damping: [0.0; 6],
        damping_factor: 2.0,
    };
    #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
    let length = 0.1 * count as f64;
    let mut rod = Rod::new("rod", section, length, count);
    rod.constraint = InternalConstraint::Kirchhoff;
    let mut pose = S3sR3::<f64>::identity();
    let mut poses = Vec::with_capacity(count + 1);
    for i in 0..=count {
        let (p, x) = (pose.rotation, pose.translation);
        poses.push(([p.scalar, p.vector.x, p.vector.y, p.vector.z], x.into()));
        #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
        let s = 0.7 * i as f64;
        let bend = [0.3 * s.sin(), 0.2 * (1.3 * s).cos(), 0.1 * (0.7 * s).sin()];
        let strain = [bend[0], bend[1], bend[2], 0.0, 0.0, 1.0 + 0.01 * s.cos()];
        let step = strain.map(|w| w * rod.element_length());
        pose = pose.compose(&S3sR3::exp(&step.into()));
    }
    rod.start = RodStart::Poses(poses);
    let mut builder = Tree::builder();
    let places = builder.rod(&rod).expect("a rod");
    let load = Load::dead([8.0, 0.0, 0.0], [0.0, -40.0, -80.0]);
    let ramp = Profile::PiecewiseLinear(vec![(0.0, 0.0), (2.5, 1.0), (5.0, 0.0)]);
    builder
        .load(places[0], load.with_profile(ramp))
        .expect("a known place");
    builder.build().expect("a tree")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chosen = |name: &str| {
        let words = arguments.iter().filter(|a| a.parse::<usize>().is_err());
        let words: Vec<&String> = words.collect();
        words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
    };
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![10, 100, 1000, 10_000, 100_000];
    }
    for &count in &sizes {
        // Bent at every joint: in a straight chain the forces fall off from link to link
        // down to denormal numbers, and those are what one would measure.
        let mut start = ChainStart::straight(count, [0.0, 0.0, 0.1]);
        for (i, rotation) in start.rotations.iter_mut().enumerate() {
            let half: f64 = if i % 2 == 0 { 0.2 } else { -0.3 };
            *rotation = [half.cos(), 0.6 * half.sin(), 0.8 * half.sin(), 0.0];
        }
        let link = Link::cylinder(1.0, 1.0, 0.05);
        let chain = LinkChain::uniform(link, [0.0, 0.0, -9.81], &start).expect("a chain");
        if chosen("links-he5") {
            measure("links-he5", &chain, &HalfExplicit::order5(), count, 1e-4);
        }
        for (name, method) in [
            ("links-ga3", GeneralizedAlpha::index3()),
            ("links-ga2s", GeneralizedAlpha::stabilized_index2()),
        ] {
            if chosen(name) {
                measure(name, &chain, &method, count, 1e-3);
            }
        }
        let rod = bent_rod(count);
        if chosen("rod-he5") {
            // Of the order of the period of extension.
            measure("rod-he5", &rod, &HalfExplicit::order5(), count, 2e-4);
        }
        for (name, method) in [
            ("rod-ga3", GeneralizedAlpha::index3()),
            ("rod-ga2s", GeneralizedAlpha::stabilized_index2()),
        ] {
            if chosen(name) {
                measure(name, &rod, &method, count, 1e-4);
            }
        }
    }
}
