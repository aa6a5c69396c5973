//! Rods bent into rings, and nets of them: what is conserved, and what dense matrices give.

use super::end;
use polhode::generic::GenericSystem;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, Method, State, multibody};
use polhode::system::{Bodies, Manifold, Mechanics};
use polhode_tests::gap;

/// A free ring, closed by an element between its last node and its first, which flies, spins and
/// wobbles.
#[multibody(consts(LENGTH = 6.0))]
struct Ring {
    #[count(default = 8, min = 3)]
    n: usize,
    #[start(rotation = along(x), velocity = [0.3, 0.2 + 0.1 * cos(4 * PI * i / n), 0.1 * sin(2 * PI * i / n)],
        angular_velocity = [0.0, 0.4, 0.1 * cos(2 * PI * i / n)])]
    nodes: [Node<S3sR3>; n],
    #[rod(nodes[i], nodes[i + 1], length = LENGTH / n, density = 1.0, inertia = 0.5, bending = 20.0,
        torsion = 15.0, shear = 200.0, extension = 300.0, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
    edges: [RodElement; n - 1],
    #[rod(nodes[n - 1], nodes[0], length = LENGTH / n, density = 1.0, inertia = 0.5, bending = 20.0,
        torsion = 15.0, shear = 200.0, extension = 300.0, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
    seam: RodElement,
}

/// Energy, linear and angular momentum change by the order of the method.
#[test]
fn a_free_ring_keeps_its_invariants() {
    let ring = Ring::new(RingParameters::default()).unwrap();
    let start = State::start(&ring, 0.0);
    assert!(ring.energy(0.0, &start.q, &start.v).potential < 1e-20);
    let drift = |state: &State<Ring>| {
        let energy = |s: &State<Ring>| ring.energy(s.t, &s.q, &s.v).total();
        let (now, then) = (
            ring.momentum(&state.q, &state.v),
            ring.momentum(&start.q, &start.v),
        );
        let change = energy(state) - energy(&start);
        let bent = ring.energy(0.0, &state.q, &state.v).potential;
        assert!(bent > 1e-3, "it wobbles: {bent}");
        [
            change.abs(),
            gap(&now.linear, &then.linear),
            gap(&now.angular, &then.angular),
        ]
    };
    let runs = [4e-3, 2e-3].map(|h| drift(&end(&ring, HalfExplicit::order5(), h, 1.0)));
    println!("order 5: {runs:?}");
    // Fifth order: a factor of 32 with half the step.
    for (coarse, fine) in runs[0].into_iter().zip(runs[1]) {
        assert!(
            fine < 1e-8 && coarse > 20.0 * fine,
            "{coarse:.1e} {fine:.1e}"
        );
    }
    let runs = [4e-3, 2e-3].map(|h| drift(&end(&ring, GeneralizedAlpha::index3(), h, 1.0)));
    println!("index 3: {runs:?}");
    assert!(
        runs[1][0] < 1e-2 && runs[0][0] > 3.0 * runs[1][0],
        "{runs:?}"
    );
}

/// Springs at the nodes of an inextensible ring that hangs from one of them.
#[multibody(gravity = [0.0, 0.0, -9.81], consts(LENGTH = 3.0))]
struct Hoop {
    #[count(default = 12, min = 3)]
    n: usize,
    #[start(rotation = along(x))]
    nodes: [Node<S3xR3>; n],
    #[rod(nodes[i], nodes[i + 1], inextensible, length = LENGTH / n, density = 1.0, inertia = 0.05, bending = 2.0,
        torsion = 1.5, damping = 0.01, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
    edges: [RodElement; n - 1],
    #[rod(nodes[n - 1], nodes[0], inextensible, length = LENGTH / n, density = 1.0, inertia = 0.05, bending = 2.0,
        torsion = 1.5, damping = 0.01, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
    seam: RodElement,
    #[joint(ground, nodes[0])]
    nail: Spherical,
    #[force(ground at [i / n, 1.0, 0.5], nodes[i], stiffness = 2.0, damping = 0.1, length = 1.0)]
    springs: [SpringDamper; n],
}

/// The same description with dense matrices runs alike, with all methods.
#[test]
fn a_hoop_by_dense_matrices() {
    fn compare<M>(hoop: &Hoop, dense: &GenericSystem, method: M, what: &str)
    where
        M: Method<Hoop> + Method<GenericSystem> + Clone,
    {
        let (a, b) = (
            end(hoop, method.clone(), 1e-3, 0.2),
            end(dense, method, 1e-3, 0.2),
        );
        let found = [gap(&a.q, &b.q), gap(&a.v, &b.v)];
        println!("{what}: {found:?}");
        assert!(found.iter().all(|gap| *gap < 1e-9), "{what}: {found:?}");
        let fallen = gap(&a.q, &hoop.start_config());
        assert!(fallen > 0.05, "it moves: {fallen}");
    }
    let hoop = Hoop::new(HoopParameters::default()).unwrap();
    let dense = GenericSystem::new(hoop.description().unwrap()).unwrap();
    compare(&hoop, &dense, HalfExplicit::order5(), "order 5");
    compare(&hoop, &dense, GeneralizedAlpha::index3(), "index 3");
    compare(&hoop, &dense, GeneralizedAlpha::index2(), "index 2");
    let stabilized = GeneralizedAlpha::stabilized_index2();
    compare(&hoop, &dense, stabilized, "stabilized");
    compare(&hoop, &dense, stabilized.modified_newton(), "modified");
}

/// A rod between two bodies on rails with springs: conservative, so its energy stays.
#[test]
fn a_rod_between_moving_bodies() {
    #[multibody(gravity = [0.0, 0.0, -9.81])]
    struct Swing {
        #[body(mass = 2.0, inertia = [0.1, 0.2, 0.3])]
        #[start(position = [i, 0.0, 0.0], velocity = [0.0, 0.0, 0.5])]
        ends: [Body<SE3>; 2],
        #[joint(ground at [i, 0.0, 0.0], ends[i], axis = z)]
        rails: [Prismatic; 2],
        #[force(ground at [i, 0.3, 1.0], ends[i], stiffness = 60.0 - 30.0 * i, length = 0.5)]
        springs: [SpringDamper; 2],
        #[start(position = [0.0, 0.0, 0.0], rotation = along(x), velocity = [0.0, 0.0, 0.5])]
        nodes: [Node<SE3>; 6],
        #[rod(nodes[i], nodes[i + 1], length = 0.2, density = 0.7, inertia = 0.01, bending = 2.0, torsion = 1.5,
            shear = 100.0, extension = 200.0)]
        beam: [RodElement; 5],
        #[joint(ends[0], nodes[0])]
        grip: Fixed,
        #[joint(ends[1], nodes[5])]
        hold: Fixed,
    }
    let swing = Swing::new().unwrap();
    let start = State::start(&swing, 0.0);
    let energy = |state: &State<Swing>| swing.energy(state.t, &state.q, &state.v).total();
    let errors = [2e-3, 1e-3].map(|h| {
        let state = end(&swing, HalfExplicit::order5(), h, 0.5);
        let apart = state.ends(0).unwrap().position()[2] - state.ends(1).unwrap().position()[2];
        assert!(apart.abs() > 0.02, "the rod is bent: {apart}");
        (energy(&state) - energy(&start)).abs()
    });
    println!("energy {:.3}, errors {errors:?}", energy(&start));
    assert!(
        errors[1] < 1e-8 && errors[0] > 20.0 * errors[1],
        "{errors:?}"
    );
}
