//! Models whose numbers are known only when they are constructed: what `new` refuses, by name and
//! number, and what it then runs.

use std::error::Error;

use polhode::generic::InvalidDescription;
use polhode::parameters::InvalidParameters;
use polhode::prelude::*;

type Outcome = Result<(), Box<dyn Error>>;

/// Outside of the models: not known when the macro runs.
const NEGATIVE: f64 = -1.0;
const OFFSET: f64 = 0.3;

#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Falling {
    #[param(default = 1.0)]
    lost: f64,
    #[body(mass = 2.0 - lost)]
    stone: Body<R3>,
    #[force(stone, force = [1.0, 0.0, 0.0])]
    wind: Load,
}

#[multibody]
struct Outside {
    #[body(mass = self::NEGATIVE)]
    stone: Body<R3>,
    #[force(stone, force = [1.0, 0.0, 0.0])]
    wind: Load,
}

#[multibody]
struct Spinning {
    #[param(default = 1.0)]
    first: f64,
    #[body(mass = 1.0, inertia = [first, 1.0, 1.0], free)]
    #[start(angular_velocity = [1.0, 2.0, 3.0])]
    stone: Body<SE3>,
}

#[multibody]
struct Vouched {
    #[param(default = 1.0)]
    first: f64,
    #[body(mass = 1.0, inertia_unchecked = [first, 1.0, 1.0], free)]
    stone: Body<SE3>,
}

#[multibody]
struct Hung {
    #[param(default = 3.0)]
    stiffness: f64,
    #[param(default = 1.0)]
    place: f64,
    #[body(mass = 1.0)]
    stone: Body<R3>,
    #[force(ground at [place, 0.0, 0.0], stone, stiffness = stiffness, length = 0.5)]
    thread: SpringDamper,
}

#[multibody]
struct Held {
    #[param(default = 1.0)]
    width: f64,
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm)]
    ball: Spherical,
    #[joint(ground at [0.0, width, 0.0], arm at [0.0, width, 0.0], axis = y)]
    guide: PointOnLine,
}

#[multibody]
struct Placed {
    #[param(default = 1.0)]
    place: f64,
    #[param(default = 2.0)]
    speed: f64,
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    #[start(position = [place, 0.0, 0.0], velocity = [0.0, speed, 0.0], angular_velocity = [0.0, 0.0, 2.0])]
    arm: Body<SE3>,
    #[joint(ground, arm at [-1.0, 0.0, 0.0])]
    ball: Spherical,
}

fn text<M>(model: Result<M, InvalidParameters>) -> String {
    model
        .err()
        .map_or_else(|| "no error".to_owned(), |error| error.to_string())
}

/// The number of a body, joint or force, and whose it is.
fn number<M>(model: Result<M, InvalidParameters>) -> Option<(String, f64)> {
    match model.err()? {
        InvalidParameters::Number(InvalidDescription::Number { item, value, .. }) => {
            Some((item, value))
        }
        _ => None,
    }
}

#[test]
fn masses() -> Outcome {
    let wrong = || Falling::new(FallingParameters { lost: 3.0 });
    assert_eq!(number(wrong()), Some(("body `stone`".to_owned(), -1.0)));
    assert_eq!(
        text(wrong()),
        "mass of body `stone` is -1: it must be positive"
    );
    assert_eq!(
        text(Outside::new()),
        "mass of body `stone` is -1: it must be positive"
    );
    assert!(text(Falling::new(FallingParameters { lost: 2.0 })).contains("is 0"));
    let fine = Falling::new(FallingParameters { lost: 1.5 })?;
    let run = HalfExplicit::order5()
        .tolerances(1e-9, 1e-9)
        .run(&fine, 0.0..=1.0)?;
    // Half a kilogram and one newton.
    assert!((run.last().stone().position()[0] - 1.0).abs() < 1e-12);
    Ok(())
}

#[test]
fn inertias() -> Outcome {
    let wrong = Spinning::new(SpinningParameters { first: -1.0 });
    assert_eq!(
        text(wrong),
        "smallest principal inertia of body `stone` is -1: it must be positive"
    );
    let wrong = Spinning::new(SpinningParameters { first: 10.0 });
    assert!(matches!(
        wrong,
        Err(InvalidParameters::Inertia {
            body: "stone",
            moments: [1.0, 1.0, 10.0]
        })
    ));
    // Twice the others is a flat body.
    Spinning::new(SpinningParameters { first: 2.0 })?;
    Vouched::new(VouchedParameters { first: 10.0 })?;
    Ok(())
}

#[test]
fn springs() -> Outcome {
    let of = |stiffness, place| Hung::new(HungParameters { stiffness, place });
    assert_eq!(
        number(of(-3.0, 1.0)),
        Some(("force `thread`".to_owned(), -3.0))
    );
    assert_eq!(
        text(of(3.0, 0.0)),
        "the points of force `thread` coincide at the start, its direction is undefined"
    );
    of(0.0, -1e-3)?;
    Ok(())
}

#[test]
fn starts_that_do_not_fit() -> Outcome {
    let of = |place, speed| Placed::new(PlacedParameters { place, speed });
    for (place, speed, words) in [
        (
            1.25,
            2.0,
            "|Phi| = 2.500e-1 at joint `ball`, position along x",
        ),
        (
            1.0,
            2.5,
            "|B v + dPhi/dt| = 5.000e-1 at joint `ball`, position along y",
        ),
    ] {
        let wrong = of(place, speed);
        assert!(
            matches!(wrong, Err(InvalidParameters::Start(_))),
            "{wrong:?}"
        );
        let text = text(wrong);
        assert!(text.contains(words), "{text}");
    }
    of(1.0, 2.0)?;
    Ok(())
}

#[test]
fn repeated_constraints() -> Outcome {
    let wrong = Held::new(HeldParameters { width: 0.0 });
    assert!(
        matches!(wrong, Err(InvalidParameters::Redundant(_))),
        "{wrong:?}"
    );
    assert!(text(wrong).contains("joint `guide`"));
    Held::new(HeldParameters { width: 0.1 })?;
    Ok(())
}

/// The joint starts on its second turn.
#[multibody]
struct Wound {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z, angle = 4.0)]
    hinge: Revolute,
    #[force(hinge, stiffness = 1.0)]
    coil: TorsionSpring,
}

/// Nothing reads the angle.
#[multibody]
struct Counted {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    #[start(angular_velocity = [0.0, 0.0, 1.0])]
    arm: Body<S3xR3>,
    #[joint(ground, arm, axis = z, angle = -10.0)]
    hinge: Revolute,
}

fn angle<S: System>(system: &S, state: &State<S>, joint: &str) -> f64 {
    let joint = state.joint(system, joint);
    joint.and_then(|joint| joint.angle()).unwrap_or(f64::NAN)
}

#[test]
fn a_declared_angle_says_on_which_turn_the_joint_starts() -> Outcome {
    let generic = GenericSystem::new(Wound.description())?;
    let read = GenericSystem::from_json(&serde_json::to_string(&Wound.description())?)?;
    let start = State::start(&Wound, 0.0);
    for q in [
        start.q.as_slice(),
        &generic.start_config(),
        &read.start_config(),
    ] {
        assert!((q[12] - 4.0).abs() < 1e-15, "{}", q[12]);
    }
    let energy = [
        Wound.energy(0.0, &start.q, &start.v),
        generic.energy(0.0, &generic.start_config(), &generic.start_velocity()),
    ];
    for energy in energy {
        assert!((energy.potential - 8.0).abs() < 1e-14, "{energy:?}");
    }
    // The motion of a spring with stiffness and inertia one.
    let method = || HalfExplicit::order5().tolerances(1e-11, 1e-11);
    let expected = 4.0 * 2.0_f64.cos();
    let run = method().run(&Wound, 0.0..=2.0)?;
    let found = angle(&Wound, run.last(), "hinge");
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    let run = method().run(&generic, 0.0..=2.0)?;
    let found = angle(&generic, run.last(), "hinge");
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");

    let run = method().run(&Counted, 0.0..=2.0)?;
    let found = angle(&Counted, run.last(), "hinge");
    assert!((found + 8.0).abs() < 1e-12, "{found}");
    Ok(())
}

#[test]
fn a_start_angle_belongs_to_a_joint_with_an_angle() {
    let with = |joint: &str, angle| {
        let mut description = Held::default().description();
        let joint = joint.to_owned();
        description.start_angles = vec![StartAngle { joint, angle }];
        GenericSystem::new(description).map_err(|error| error.to_string())
    };
    assert!(with("ball", 4.0).is_err_and(|text| text.contains("angle of joint `ball`")));
    assert!(with("bal", 4.0).is_err_and(|text| text.contains("did you mean `ball`")));
}

#[multibody]
struct Driven {
    #[param(default = 0.0)]
    offset: f64,
    #[param(default = 1.0)]
    width: f64,
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[joint(ground, arm, axis = z, angle = offset + width * cos(t))]
    motor: Driver,
}

#[multibody]
struct DrivenFromOutside {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SO3xR3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[joint(ground, arm, axis = z, angle = self::OFFSET + t)]
    motor: Driver,
}

/// The motor starts with its first angle where the arm starts, whatever that angle is.
#[test]
fn drivers_start_with_any_angle() -> Outcome {
    let method = || HalfExplicit::order5().tolerances(1e-10, 1e-10);
    for (offset, width) in [(0.0, 1.0), (0.5, 1.0), (-0.7, 0.4)] {
        let model = Driven::new(DrivenParameters { offset, width })?;
        let generic = GenericSystem::new(model.description())?;
        let run = method().run(&model, 0.0..=1.0)?;
        let twin = method().run(&generic, 0.0..=1.0)?;
        let motor = offset + width * 1.0_f64.cos();
        let hinge = width * (1.0_f64.cos() - 1.0);
        for (joint, expected) in [("motor", motor), ("hinge", hinge)] {
            let found = [
                angle(&model, run.last(), joint),
                angle(&generic, twin.last(), joint),
            ];
            for found in found {
                assert!(
                    (found - expected).abs() < 1e-8,
                    "{joint}: {found} {expected}"
                );
            }
        }
    }
    let model = DrivenFromOutside::new()?;
    let run = method().run(&model, 0.0..=1.0)?;
    let found = angle(&model, run.last(), "motor");
    assert!((found - 1.3).abs() < 1e-8, "{found}");
    Ok(())
}
