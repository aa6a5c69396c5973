//! Reactions and coordinates of joints, of runs and at rest.

#[path = "joints/opposite.rs"]
mod opposite;

use polhode::accelerations::AccelerationSolver;
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, Force, ForceKind, Formula, Joint, JointKind, LoadFrame,
    PositionAxes, Start,
};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::joints::JointTracker;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::System;
use polhode_models::heavy_top;
use polhode_tests::{RIGID, distance};

/// The force of the pivot on the heavy top at t = 1, from an independent integration with an
/// explicit method of order 8 at tolerances of 1e-13: nine decimals.
#[test]
fn force_of_the_pivot_of_the_heavy_top() {
    let expected = [-517.600_739_477, -396.843_101_490, 404.574_925_163];
    for (group, name) in RIGID {
        let system = GenericSystem::new(heavy_top::constrained(group)).unwrap();
        let method = HalfExplicit::order5().multipliers(Multipliers::Recomputed);
        let run = method
            .simulate(&system, 0.0..=1.0)
            .step(5e-5)
            .run()
            .unwrap();
        let state = run.states().last().unwrap();
        let pivot = state.joint(&system, "pivot").unwrap();
        let found = pivot.reaction();
        let error = distance(&found.force, &expected);
        // Twice the step size gives 4e-8 on SE3, so this one 32 times less; the rest is rounding.
        assert!(error < 5e-9, "{name}: {error:e}");
        assert!(found.torque.iter().all(|x| x.abs() < 1e-6), "{found:?}");
        assert!(pivot.reaction_is_unique().unwrap());
        // In joint axes it is the multipliers themselves.
        let own = pivot.reaction_in_joint_axes();
        assert!(distance(&own.force, &state.lambda) < 1e-9, "{own:?}");
    }
}

fn rod(name: &str, group: GroupKind, position: [f64; 3]) -> Body {
    Body {
        name: name.to_owned(),
        group,
        mass: 2.0,
        inertia: [[0.1, 0.0, 0.0], [0.0, 0.7, 0.0], [0.0, 0.0, 0.7]],
        center: [0.0; 3],
        start: Start {
            position: position.to_vec(),
            ..Start::default()
        },
    }
}

/// A beam of length 2 on a ball at one end and a rail along x at the other, with a load at a
/// quarter of its length: the lever rule.
#[test]
fn a_beam_on_two_supports() {
    for (group, name) in RIGID {
        let along_x = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        let system = GenericSystem::new(Description {
            name: "beam".to_owned(),
            gravity: [0.0, 0.0, -10.0],
            bodies: vec![rod("beam", group, [1.0, 0.0, 0.0])],
            joints: vec![
                Joint {
                    name: "ball".to_owned(),
                    kind: JointKind::Spherical,
                    first: Attachment::at("ground", [0.0; 3]),
                    second: Attachment::at("beam", [-1.0, 0.0, 0.0]),
                },
                Joint {
                    name: "rail".to_owned(),
                    kind: JointKind::PointOnLine,
                    first: Attachment::at("beam", [1.0, 0.0, 0.0]),
                    second: Attachment {
                        axes: along_x,
                        ..Attachment::at("ground", [0.5, 0.0, 0.0])
                    },
                },
            ],
            forces: vec![Force {
                name: "load".to_owned(),
                kind: ForceKind::Load {
                    at: Attachment::at("beam", [-0.5, 0.0, 0.0]),
                    force: [3.0, 0.0, -8.0].map(Formula::Number),
                    torque: [0.0; 3].map(Formula::Number),
                    frame: LoadFrame::World,
                },
            }],
            ..Description::default()
        })
        .unwrap();
        let mut state = State::start(&system, 0.0);
        AccelerationSolver::new(&system)
            .solve(&system, &mut state)
            .unwrap();
        assert!(state.vdot.iter().all(|x| x.abs() < 1e-13), "{name}");
        let ball = state.joint(&system, "ball").unwrap().reaction();
        // Half of the weight of 20, three quarters of the load.
        assert!(
            distance(&ball.force, &[-3.0, 0.0, 16.0]) < 1e-12,
            "{ball:?}"
        );
        // The rail holds the beam as its first body, at the end of the beam.
        let rail = state.joint(&system, "rail").unwrap();
        let on_beam = rail.reaction_on_first();
        assert!(
            distance(&on_beam.force, &[0.0, 0.0, 12.0]) < 1e-12,
            "{on_beam:?}"
        );
        assert!(distance(&on_beam.torque, &[0.0; 3]) < 1e-12, "{on_beam:?}");
        // At the point of the second frame, 1.5 before the end of the beam, it has an arm.
        let on_ground = rail.reaction();
        assert!(distance(&on_ground.force, &[0.0, 0.0, -12.0]) < 1e-12);
        assert!(
            distance(&on_ground.torque, &[0.0, 1.5 * 12.0, 0.0]) < 1e-12,
            "{on_ground:?}"
        );
    }
}

/// The axes in which positions are measured change multipliers, not reactions: a falling arm of
/// two bodies, the second welded to the first by a joint whose frames are turned.
#[test]
fn reactions_do_not_depend_on_position_axes() {
    let turned = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let at = |body: &str, point| Attachment {
        axes: turned,
        ..Attachment::at(body, point)
    };
    for (group, name) in RIGID {
        let [along_second, inertial] =
            [PositionAxes::Second, PositionAxes::Inertial].map(|positions| {
                let system = GenericSystem::new(Description {
                    name: "arm".to_owned(),
                    gravity: [0.0, -10.0, 1.0],
                    bodies: vec![
                        rod("inner", group, [1.0, 0.0, 0.0]),
                        rod("outer", group, [3.0, 0.0, 0.0]),
                    ],
                    joints: vec![
                        Joint {
                            name: "hinge".to_owned(),
                            kind: JointKind::Revolute,
                            first: at("inner", [-1.0, 0.0, 0.0]),
                            second: at("ground", [0.0; 3]),
                        },
                        Joint {
                            name: "weld".to_owned(),
                            kind: JointKind::Fixed,
                            first: at("inner", [1.0, 0.0, 0.0]),
                            second: at("outer", [-1.0, 0.0, 0.0]),
                        },
                    ],
                    positions,
                    ..Description::default()
                })
                .unwrap();
                let mut state = State::start(&system, 0.0);
                AccelerationSolver::new(&system)
                    .solve(&system, &mut state)
                    .unwrap();
                let wrenches = ["hinge", "weld"].map(|joint| {
                    let joint = state.joint(&system, joint).unwrap();
                    let (second, first) = (joint.reaction(), joint.reaction_on_first());
                    [second.force, second.torque, first.force, first.torque]
                });
                (state.lambda.clone(), wrenches)
            });
        for (one, other) in along_second
            .1
            .iter()
            .flatten()
            .zip(inertial.1.iter().flatten())
        {
            assert!(distance(one, other) < 1e-11, "{name}: {one:?} {other:?}");
        }
        let weld = inertial.1[1][0];
        assert!(distance(&weld, &inertial.0[5..8]) < 1e-11, "{name}");
        assert!(distance(&weld, &along_second.0[5..8]) > 0.1, "{name}");
    }
}

/// A wheel with constant torque, 20 turns: the tracker of a run without any force that reads the
/// angle, the configuration of one with a spring of no stiffness, and the closed form agree, also
/// between steps.
#[test]
fn continuous_angles_of_a_run() {
    let spring = ForceKind::TorsionSpring {
        joint: "hinge".to_owned(),
        stiffness: 0.0,
        damping: 0.0,
        angle: 0.0,
    };
    for (group, name) in RIGID {
        for reads in [false, true] {
            let mut description = Description {
                name: "wheel".to_owned(),
                bodies: vec![rod("wheel", group, [0.0; 3])],
                joints: vec![Joint {
                    name: "hinge".to_owned(),
                    kind: JointKind::Revolute,
                    first: Attachment::at("ground", [0.0; 3]),
                    second: Attachment::at("wheel", [0.0; 3]),
                }],
                forces: vec![Force {
                    name: "motor".to_owned(),
                    kind: ForceKind::Actuator {
                        joint: "hinge".to_owned(),
                        effort: Formula::Number(7.0),
                    },
                }],
                ..Description::default()
            };
            if reads {
                description.forces.push(Force {
                    name: "spring".to_owned(),
                    kind: spring.clone(),
                });
            }
            let system = GenericSystem::new(description).unwrap();
            assert_eq!(system.space().angles().len(), usize::from(reads));
            let mut tracker = JointTracker::new(&system, &State::start(&system, 0.0));
            let mut steps = 0;
            let run = HalfExplicit::order4()
                .simulate(&system, 0.0..=5.0)
                .step(0.01)
                .output(polhode::output::Output::Every(0.013))
                .observe(|step| {
                    steps += 1;
                    tracker.update(&system, step.state);
                    let angle = tracker.angle(&system, step.state, 0).unwrap();
                    let exact = 5.0 * step.state.t.powi(2);
                    assert!((angle - exact).abs() < 1e-9, "{name}: {angle} {exact}");
                    std::ops::ControlFlow::Continue(())
                })
                .run()
                .unwrap();
            assert!(steps >= 500 && run.states().len() > 380);
            if !reads {
                continue;
            }
            assert_eq!(run.trajectory().columns().q.last().unwrap(), "hinge.angle");
            for state in run.states() {
                let hinge = state.joint(&system, "hinge").unwrap();
                let exact = 5.0 * state.t.powi(2);
                assert!((hinge.angle().unwrap() - exact).abs() < 1e-9, "{name}");
                assert!((state.q.last().unwrap() - exact).abs() < 1e-9, "{name}");
                assert!((hinge.angle_rate().unwrap() - 10.0 * state.t).abs() < 1e-9);
            }
        }
    }
}
