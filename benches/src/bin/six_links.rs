//! Time of a Newton matrix, factored and solved, of a chain of six bodies with revolute
//! joints: 36 velocities and 30 constraints. The shortest of many short batches counts.

use std::hint::black_box;
use std::time::Instant;

use polhode::multibody;
use polhode::system::{Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, System};

/// Bodies of one metre in a row, their axes in turn along y and z.
#[multibody(gravity = [0.0, 0.0, -9.81], consts(J = [0.02, 0.3, 0.3], E = [0.5, 0.0, 0.0]))]
struct Chain {
    #[body(mass = 3.0, inertia = J)]
    #[start(position = [0.5, 0.0, 0.0])]
    a: Body<SO3xR3>,
    #[body(mass = 2.5, inertia = J)]
    #[start(position = [1.5, 0.0, 0.0])]
    b: Body<SO3xR3>,
    #[body(mass = 2.0, inertia = J)]
    #[start(position = [2.5, 0.0, 0.0])]
    c: Body<SO3xR3>,
    #[body(mass = 1.5, inertia = J)]
    #[start(position = [3.5, 0.0, 0.0])]
    d: Body<SO3xR3>,
    #[body(mass = 1.0, inertia = J)]
    #[start(position = [4.5, 0.0, 0.0])]
    e: Body<SO3xR3>,
    #[body(mass = 0.5, inertia = J)]
    #[start(position = [5.5, 0.0, 0.0])]
    f: Body<SO3xR3>,
    #[joint(ground at [0.0, 0.0, 0.0], a at -1 * E, axis = [0.0, 1.0, 0.0])]
    ja: Revolute,
    #[joint(a at E, b at -1 * E, axis = [0.0, 0.0, 1.0])]
    jb: Revolute,
    #[joint(b at E, c at -1 * E, axis = [0.0, 1.0, 0.0])]
    jc: Revolute,
    #[joint(c at E, d at -1 * E, axis = [0.0, 0.0, 1.0])]
    jd: Revolute,
    #[joint(d at E, e at -1 * E, axis = [0.0, 1.0, 0.0])]
    je: Revolute,
    #[joint(e at E, f at -1 * E, axis = [0.0, 0.0, 1.0])]
    jf: Revolute,
}

fn main() {
    let (q, v) = (Chain.start_config(), Chain.start_velocity());
    let mut geometry = Chain.new_geometry();
    Chain
        .geometry(0.0, &q, &mut geometry)
        .expect("the start is admissible");
    let h = 1e-3;
    let coefficients = NewtonCoefficients {
        h,
        sigma: 0.0,
        gamma_h: 2.0 / h,
        epsilon_h: 2.0 / h,
        formulation: Formulation::Index3,
    };
    let lambda = [1.0; Chain::CONSTRAINTS];
    let theta = [1e-3; Chain::DOF];
    let point = NewtonPoint {
        t: 0.0,
        q: &q,
        geometry: &geometry,
        geometry_start: &geometry,
        theta: &theta,
        k: &theta,
        v: &v,
        lambda: &lambda,
    };
    let mut workspace = Chain.new_workspace();
    let mut vectors = NewtonVectors::new(&Chain);
    let (mut best, mut factor) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..20_000 {
        let clock = Instant::now();
        for _ in 0..20 {
            Chain
                .newton_factor(&coefficients, black_box(&point), &mut workspace)
                .expect("a regular matrix");
        }
        factor = factor.min(clock.elapsed().as_secs_f64() / 20.0);
        let clock = Instant::now();
        for _ in 0..20 {
            Chain
                .newton_factor(&coefficients, black_box(&point), &mut workspace)
                .expect("a regular matrix");
            vectors.dynamics.fill(1e-6);
            vectors.constraint.fill(1e-6);
            Chain.newton_solve(black_box(&mut vectors), &mut workspace);
        }
        best = best.min(clock.elapsed().as_secs_f64() / 20.0);
    }
    println!(
        "assemble and factor {:.0} ns, with solve {:.0} ns; fixed order of pivots: {}",
        factor * 1e9,
        best * 1e9,
        workspace.kernel == 0
    );
}
