//! What constructors reject, with names and numbers; what they complete.

use polhode::chain::InvalidTree;
use polhode::consistency::residuals;
use polhode::error::Fault;
use polhode::parameters::InvalidParameters;
use polhode::prelude::{State, multibody};
use polhode::system::Constrained;

/// A planar four-bar linkage of hinges, which hold each other twice.
macro_rules! four_bar {
    ($name:ident, $kind:ident $(, $redundant:ident = $allow:literal)?) => {
        #[multibody(gravity = [0.0, 0.0, -9.81] $(, $redundant = $allow)?)]
        struct $name {
            #[param(default = 2.0, positive)]
            height: f64,
            #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
            #[start(position = [0.0, 0.0, 1.0])]
            left: Body<SE3>,
            #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
            #[start(position = [3.0, 0.0, 1.0])]
            right: Body<SE3>,
            #[start(position = [0.0, 0.0, 2.0], rotation = along(x))]
            nodes: [Node<SE3>; 4],
            #[rod(nodes[i], nodes[i + 1], length = 1.0, density = 1.0, inertia = 0.1, bending = 9.0, torsion = 9.0,
                shear = 99.0, extension = 99.0)]
            coupler: [RodElement; 3],
            #[joint(ground, left at [0.0, 0.0, -1.0], axis = y)]
            a: Revolute,
            #[joint(left at [0.0, 0.0, 1.0], nodes[0], axis = y)]
            b: $kind,
            #[joint(right at [0.0, 0.0, height - 1.0], nodes[3], axis = y)]
            c: Revolute,
            #[joint(ground at [3.0, 0.0, 0.0], right at [0.0, 0.0, -1.0], axis = y)]
            d: Revolute,
        }
    };
}

four_bar!(FourBar, Revolute);

/// A flexible coupler takes the constraints of all hinges: nothing is redundant.
#[test]
fn a_flexible_four_bar_is_accepted() {
    FourBar::new(FourBarParameters { height: 2.0 }).unwrap();
    let error = FourBar::new(FourBarParameters { height: 2.1 }).unwrap_err();
    let InvalidParameters::Start(_) = &error else {
        panic!("{error}");
    };
    let text = error.to_string();
    assert!(
        text.contains("joint `c`") && text.contains("1.000e-1"),
        "{text}"
    );
}

macro_rules! rigid {
    ($name:ident $(, $redundant:ident = $allow:literal)?) => {
        #[multibody(gravity = [0.0, 0.0, -9.81] $(, $redundant = $allow)?)]
        struct $name<const N: usize> {
            #[body(mass = 1.0, inertia = [0.1, 0.2, 0.1])]
            #[start(position = [cos(2 * PI * i / N), 0.0, sin(2 * PI * i / N)], rotation = ry(-2 * PI * i / N))]
            links: [Body<SE3>; N],
            #[joint(ground at [1.0, 0.0, 0.0], links[0], axis = y)]
            post: Revolute,
            #[joint(links[i], links[i + 1], at = world([cos(2 * PI * (i + 0.5) / N), 0.0, sin(2 * PI * (i + 0.5) / N)]), axis = y)]
            hinges: [Revolute; N - 1],
            #[joint(links[N - 1], links[0], at = world([cos(PI / N), 0.0, -sin(PI / N)]), axis = y)]
            seam: Revolute,
        }
    };
}

rigid!(Rigid);
rigid!(Allowed, redundant = "allow");

/// Hinges of a planar loop hold it three times too often; the error names one of them.
#[test]
fn redundant_joints_are_named() {
    fn check<const N: usize>() {
        let error = Rigid::<N>::new().unwrap_err();
        let InvalidParameters::Redundant(Fault::SingularConstraints {
            constraint,
            pivot,
            scale,
        }) = &error
        else {
            panic!("{N}: {error}");
        };
        assert!(constraint.starts_with("joint `"), "{constraint}");
        assert!(pivot.abs() < 1e-9 * scale, "{pivot} {scale}");
        assert!(
            error.to_string().contains("redundant = \"allow\""),
            "{error}"
        );
    }
    check::<4>();
    check::<5>();
    check::<40>();
    Allowed::<4>::new().unwrap();
}

/// Indices that are wrong for some counts only, and numbers that depend on parameters.
#[test]
fn parts_that_do_not_fit() {
    #[multibody]
    struct Late {
        #[count(default = 4, min = 2)]
        n: usize,
        #[param(default = 1.0)]
        stiffness: f64,
        #[body(mass = 1.0)]
        #[start(position = [i, 0.0, 0.0])]
        points: [Body<R3>; n],
        #[force(points[i], points[i + 1], stiffness = stiffness, length = 0.5)]
        springs: [SpringDamper; n - 1],
        #[joint(ground at [0.0, 0.0, 1.0], points[3], length = norm([3.0, 0.0, 1.0]))]
        rod: Distance,
        #[force(points[0], force = [points[3].position.x, 0.0, 0.0])]
        push: Load,
    }
    let make = |n, stiffness| Late::new(LateParameters { stiffness, n });
    make(4, 1.0).unwrap();
    let error = make(3, 1.0).unwrap_err();
    let InvalidParameters::Structure(InvalidTree::NoSuchElement { item, index: 3, .. }) = &error
    else {
        panic!("{error}");
    };
    assert_eq!(item, "rod");
    let text = make(4, -1.0).unwrap_err().to_string();
    assert!(
        text.contains("springs[0]") && text.contains("stiffness"),
        "{text}"
    );
}

/// Loops that nearly close are closed if asked to, and velocities that are not given follow, in
/// models of any size.
#[test]
fn starts_are_completed() {
    #[multibody(assemble)]
    struct Crank {
        #[count(default = 3)]
        n: usize,
        #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
        #[start(position = [0.5 + i, 0.0, 0.02 * i])]
        links: [Body<SE3>; n],
        #[joint(ground, links[0] at [-0.5, 0.0, 0.0], axis = y)]
        post: Revolute,
        #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
        balls: [Spherical; n - 1],
        #[joint(ground at [n, 0.0, 0.0], links[n - 1] at [0.5, 0.0, 0.0], axis = z)]
        slider: PointOnLine,
        #[joint(ground, links[0] at [-0.5, 0.0, 0.0], axis = y, angle = t)]
        motor: Driver,
    }
    // The larger one has more numbers in B than are decomposed as a whole.
    for n in [3, 80] {
        let crank = Crank::new(CrankParameters { n }).unwrap();
        let state = State::start(&crank, 0.0);
        let found = residuals(&crank, &state).unwrap();
        assert!(
            found.position < 1e-11 && found.velocity < 1e-9,
            "{n}: {found:?}"
        );
        let turning = state.links(0).unwrap().angular_velocity()[1];
        assert!((turning - 1.0).abs() < 1e-9, "{turning}");
        // The shortest: a displacement along B^T, so it has no part that the joints leave free.
        assert_eq!(crank.constraint_count(), 5 + 3 * (n - 1) + 2 + 1);
    }
}
