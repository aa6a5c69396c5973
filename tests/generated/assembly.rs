//! `assembly()`: how far a start moved to fulfil the joints, by the macro and by the constructor.

use polhode::multibody;
use polhode::state::State;

/// Assembled by the macro.
#[multibody(assemble)]
struct Literal {
    #[body(mass = 1.0, inertia = [0.01, 0.3, 0.3])]
    #[start(position = [1.05, 0.0, 0.0])]
    rod: Body<SE3>,
    #[joint(ground, rod at [-1.0, 0.0, 0.0])]
    pivot: Spherical,
}

/// Assembled by the constructor.
#[multibody(assemble)]
struct Late {
    #[param(default = 1.0)]
    length: f64,
    #[body(mass = 1.0, inertia = [0.01, 0.3, 0.3])]
    #[start(position = [1.05, 0.0, 0.0])]
    rod: Body<SE3>,
    #[joint(ground, rod at [-length, 0.0, 0.0])]
    pivot: Spherical,
}

/// Nothing to close.
#[multibody(assemble)]
struct Closed {
    #[body(mass = 1.0, inertia = [0.01, 0.3, 0.3])]
    #[start(position = [1.0, 0.0, 0.0])]
    rod: Body<SE3>,
    #[joint(ground, rod at [-1.0, 0.0, 0.0])]
    pivot: Spherical,
}

/// The rod is 5 cm too far along its own axis: no rotation helps, so that is how far it moves.
#[test]
fn a_gap_is_closed_and_reported() {
    let late = Late::new(LateParameters { length: 1.0 }).unwrap();
    for (what, assembly, gap) in [
        ("literal", Literal.assembly(), {
            let state = State::start(&Literal, 0.0);
            state.joint(&Literal, Literal::PIVOT).distance()
        }),
        ("late", late.assembly(), {
            let state = State::start(&late, 0.0);
            state.joint(&late, Late::PIVOT).distance()
        }),
    ] {
        let assembly = assembly.expect(what);
        for x in [assembly.moved, assembly.position_residual] {
            assert!((x - 0.05).abs() < 1e-12, "{what}: {assembly:?}");
        }
        assert!(assembly.iterations > 0, "{what}: {assembly:?}");
        assert!(gap < 1e-12, "{what}: {gap:e}");
    }
}

#[test]
fn a_closed_start_has_nothing_to_report() {
    assert_eq!(Closed.assembly(), None);
    let late = Late::new(LateParameters { length: 1.05 }).unwrap();
    assert_eq!(late.assembly(), None);
}

/// A constant stands for a joint that exists, a text may not.
#[test]
fn joints_have_constants() {
    let state = State::start(&Closed, 0.0);
    assert_eq!(Closed::PIVOT.name(), "pivot");
    let by_text = state.joint(&Closed, "pivot").unwrap();
    assert_eq!(state.joint(&Closed, Closed::PIVOT).frame(), by_text.frame());
    assert!(state.joint(&Closed, "pivt").is_none());
}
