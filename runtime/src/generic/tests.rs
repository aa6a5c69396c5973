//! The hand-written derivatives of the generic system against dual numbers, and
//! its functions against closed forms.

mod drivers;
mod models;
mod rods;
mod turns;

use super::GenericSystem;
use super::assembly::{Element, Snapshot};
use super::constraint::Pose;
use super::description::{Attachment, Description, Joint, JointKind};
use super::relative_pose;
use crate::lie::GroupKind;
use crate::real::{Dual, Real};
use crate::system::{Constrained, Implicit, Manifold, Mechanics, Scratch, Stage};
pub(crate) use models::{Numbers, body, conservative, everything};
use nalgebra::Vector3;

/// `q * exp(epsilon w)` in dual numbers, by the kinematic equations
/// `R' = R w~`, `p' = 1/2 p (0, w)`, and `x' = u` or `x' = R U`.
fn moved(system: &GenericSystem, q: &[f64], w: &[f64]) -> Vec<Dual> {
    let mut rate = vec![0.0; q.len()];
    for body in &system.bodies {
        let pose = body.pose(q);
        let w = &w[body.velocity.clone()];
        let p = &q[body.config.clone()];
        let rate = &mut rate[body.config.clone()];
        if let GroupKind::Rn(_) = body.kind {
            rate.copy_from_slice(w);
            continue;
        }
        let turn = Vector3::new(w[0], w[1], w[2]);
        let place = if matches!(
            body.kind,
            GroupKind::SO3 | GroupKind::SO3xR3 | GroupKind::SE3
        ) {
            let slope = pose.rotation * turn.cross_matrix();
            rate[..9].copy_from_slice(slope.transpose().as_slice());
            9
        } else {
            let vector = Vector3::new(p[1], p[2], p[3]);
            rate[0] = -0.5 * vector.dot(&turn);
            rate[1..4].copy_from_slice(((turn * p[0] + vector.cross(&turn)) * 0.5).as_slice());
            4
        };
        if w.len() == 6 {
            let shift = Vector3::new(w[3], w[4], w[5]);
            let shift = if body.is_direct() {
                shift
            } else {
                pose.rotation * shift
            };
            rate[place..].copy_from_slice(shift.as_slice());
        }
    }
    q.iter()
        .zip(rate)
        .map(|(q, rate)| Dual::new(*q, rate))
        .collect()
}

/// `Phi`, `B v + dPhi/dt`, `g` and `B^T lambda` with any scalar.
struct Values<R: Real> {
    phi: Vec<R>,
    rate: Vec<R>,
    force: Vec<R>,
    push: Vec<R>,
}

fn values<R: Real>(system: &GenericSystem, t: R, [q, v]: [&[R]; 2], lambda: &[f64]) -> Values<R> {
    let poses: Vec<Pose<R>> = system.bodies.iter().map(|body| body.pose(q)).collect();
    let mut out = Values {
        phi: Vec::new(),
        rate: Vec::new(),
        force: vec![R::zero(); v.len()],
        push: vec![R::zero(); v.len()],
    };
    let turns: Vec<f64> = q[system.space.angles()].iter().map(|x| x.value()).collect();
    let mut modes = vec![R::zero(); system.mode_count()];
    system.read_modes(q, &mut modes);
    let at = Snapshot {
        t: t.value(),
        poses: &poses,
        turns: &turns,
        modes: &modes,
        v,
    };
    system.force_at(&at, &mut out.force);
    let frames = system.description.joints.iter().zip(&system.joints);
    for (joint, data) in frames {
        let element = Element::of(data);
        let relative = relative_pose(&poses, element);
        let driven = data.driver.map(|driver| {
            let (constraint, _) = system.drivers[driver].1.at(t.value()).unwrap();
            let found = drivers::values(system, joint, &at, t);
            (constraint, found)
        });
        for i in data.rows.clone() {
            let lambda = R::from_f64(lambda[i]);
            let constraint = driven
                .as_ref()
                .map_or(&system.constraints[i], |(constraint, _)| constraint);
            let row = GenericSystem::joint_row(data, i, constraint, &relative, &poses);
            let row = system.row_to_group(element, &poses, &row);
            system.add_pair(element, &row, lambda, &mut out.push);
            if let Some((_, [phi, rate])) = driven {
                out.phi.push(phi);
                out.rate.push(rate);
                continue;
            }
            let mut dense = vec![R::zero(); v.len()];
            system.add_pair(element, &row, R::one(), &mut dense);
            let rate = dense
                .iter()
                .zip(v)
                .fold(R::zero(), |sum, (b, v)| sum + *b * *v);
            let phi = GenericSystem::joint_value(data, i, constraint, &relative, &poses);
            out.phi.push(phi);
            out.rate.push(rate);
        }
    }
    for rod in &system.rods {
        let strain = rod.strain(&poses);
        for (i, index) in rod.rows.clone().enumerate() {
            let row = system.row_to_group(rod.element, &poses, &rod.row(&strain, i));
            system.add_pair(rod.element, &row, R::from_f64(lambda[index]), &mut out.push);
            let mut dense = vec![R::zero(); v.len()];
            system.add_pair(rod.element, &row, R::one(), &mut dense);
            let rate = dense.iter().zip(v);
            out.rate
                .push(rate.fold(R::zero(), |sum, (b, v)| sum + *b * *v));
            let constants = &rod.constants;
            out.phi
                .push(strain.z[3 + i] - constants.length * constants.reference[3 + i]);
        }
    }
    out
}

fn slopes(x: &[Dual]) -> Vec<f64> {
    x.iter().map(|x| x.slope).collect()
}

fn assert_close(name: &str, found: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!(
            (x - y).abs() <= 1e-13 * scale,
            "{name}[{i}]: {x} instead of {y}"
        );
    }
}

const GROUPS: [GroupKind; 8] = [
    GroupKind::SO3xR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::S3sR3,
    GroupKind::SO3,
    GroupKind::S3,
    GroupKind::Rn(2),
    GroupKind::Rn(3),
];

/// Formulas of time are evaluated here.
const TIME: f64 = 0.7;

/// `B`, `D_q(B v)`, `K` and `D` for all pairs of groups, all joints and forces, at random states.
#[test]
fn derivatives_agree_with_dual_numbers() {
    let mut numbers = Numbers(7);
    for first in GROUPS {
        for second in GROUPS {
            let system = everything(first, second, &mut numbers);
            check_derivatives(&system, 1.0, &mut numbers);
        }
    }
}

/// All of them, at a state that is a step of this size away from the start.
fn check_derivatives(system: &GenericSystem, size: f64, numbers: &mut Numbers) {
    let nv = system.space.dof();
    let mut q = system.start_config();
    let mut shift = numbers.vector(nv);
    shift.iter_mut().for_each(|x| *x *= size);
    system.displace(&system.start_config(), &shift, &mut q);
    let (v, w) = (numbers.vector(nv), numbers.vector(nv));
    let lambda = numbers.vector(system.constraint_count());
    let (mut c, mut f) = (system.new_multiplier(), system.new_velocity());
    let mut geometry = system.new_geometry();
    system.geometry(TIME, &q, &mut geometry).unwrap();

    let constant = |x: &[f64]| -> Vec<Dual> { x.iter().map(|x| Dual::from_f64(*x)).collect() };
    let (now, later) = (Dual::from_f64(TIME), Dual::new(TIME, 1.0));
    let (still, steady) = (constant(&q), constant(&v));
    let along = values(system, now, [&moved(system, &q, &w), &steady], &lambda);
    system.constraint(TIME, &q, &geometry, &mut c);
    let phi: Vec<f64> = along.phi.iter().map(|x| x.value).collect();
    assert_close("Phi", &c, &phi);
    system.jacobian_times(&geometry, &w, &mut c);
    assert_close("B w", &c, &slopes(&along.phi));
    system.jacobian_derivative_times(&q, &geometry, &v, &w, &mut c);
    assert_close("D_q(B v + dPhi/dt) w", &c, &slopes(&along.rate));
    system.stiffness_times(TIME, &q, &geometry, &v, &lambda, &w, &mut f);
    let stiffness: Vec<f64> = slopes(&along.force)
        .iter()
        .zip(slopes(&along.push))
        .map(|(g, push)| g + push)
        .collect();
    assert_close("K w", &f, &stiffness);

    let faster: Vec<Dual> = v.iter().zip(&w).map(|(v, w)| Dual::new(*v, *w)).collect();
    let along = values(system, now, [&still, &faster], &lambda);
    system.damping_times(TIME, &q, &geometry, &v, &w, &mut f);
    assert_close("D w", &f, &slopes(&along.force));
    system.force(TIME, &geometry, &v, &mut f);
    let force: Vec<f64> = along.force.iter().map(|x| x.value).collect();
    assert_close("g", &f, &force);

    let waiting = values(system, later, [&still, &steady], &lambda);
    system.constraint_rate(TIME, &geometry, &mut c);
    assert_close("dPhi/dt", &c, &slopes(&waiting.phi));
    let flowing = values(system, later, [&moved(system, &q, &v), &steady], &lambda);
    system.constraint_quadratic(TIME, &q, &geometry, &v, &mut c);
    assert_close("Z(v, v)", &c, &slopes(&flowing.rate));
}

/// The force is minus the gradient of the energy where the velocity vanishes.
#[test]
fn force_is_the_gradient_of_the_energy() {
    let mut numbers = Numbers(11);
    for group in GROUPS {
        let system = conservative(group, GroupKind::SE3, &mut numbers);
        let nv = system.space.dof();
        let q = system.start_config();
        let rest = system.new_velocity();
        let w = numbers.vector(nv);
        let mut f = system.new_velocity();
        let mut geometry = system.new_geometry();
        system.geometry(0.0, &q, &mut geometry).unwrap();
        system.force(0.0, &geometry, &rest, &mut f);
        let power: f64 = f.iter().zip(&w).map(|(f, w)| f * w).sum();
        // Sixth-order central difference of the energy along w.
        let energy = |s: f64| {
            let step: Box<[f64]> = w.iter().map(|x| s * x).collect();
            let mut moved = system.start_config();
            system.displace(&q, &step, &mut moved);
            system.energy(0.0, &moved, &rest).total()
        };
        let d = |s: f64| energy(s) - energy(-s);
        let h = 1e-3;
        let slope = (45.0 * d(h) - 9.0 * d(2.0 * h) + d(3.0 * h)) / (60.0 * h);
        assert!(
            (power - slope).abs() < 1e-9 * power.abs().max(1.0),
            "{group}: {power} {slope}"
        );
    }
}

/// The heavy top: closed forms of `g`, `B`, `Z`, `K`, `D` in both kinds of product, with
/// `y = R^T x`; Arnold, Cardona, Bruls (2016), with the true gradient of `Phi = X - R^T x`.
#[test]
fn heavy_top_closed_forms() {
    let mut numbers = Numbers(3);
    let (m, j) = (15.0, Vector3::new(0.234_375, 0.468_75, 0.234_375));
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let arm = Vector3::new(0.0, 1.0, 0.0);
    for group in [
        GroupKind::SO3xR3,
        GroupKind::SE3,
        GroupKind::S3xR3,
        GroupKind::S3sR3,
    ] {
        let mut top = body("top", group, &mut numbers);
        top.mass = m;
        top.center = [0.0; 3];
        top.inertia =
            core::array::from_fn(|i| core::array::from_fn(|k| if i == k { j[i] } else { 0.0 }));
        let system = GenericSystem::new(Description {
            name: "heavy top".to_owned(),
            gravity: gravity.into(),
            bodies: vec![top],
            joints: vec![Joint {
                name: "pivot".to_owned(),
                kind: JointKind::Spherical,
                first: Attachment::at("ground", [0.0; 3]),
                second: Attachment::at("top", (-arm).into()),
            }],
            ..Description::default()
        })
        .unwrap();
        let q = system.start_config();
        let pose = system.bodies[0].pose(&q);
        let (r, x) = (pose.rotation, pose.position);
        let y = r.transpose() * x;
        let v = numbers.vector(6);
        let w = numbers.vector(6);
        let lambda = numbers.vector(3);
        let part = |v: &[f64], i: usize| Vector3::new(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
        let (omega, u) = (part(&v, 0), part(&v, 1));
        let (turn, shift) = (part(&w, 0), part(&w, 1));
        let l = part(&lambda, 0);
        let spin = omega.component_mul(&j);
        let direct = system.bodies[0].is_direct();
        let weight = r.transpose() * gravity * m;
        let (g, b_w, z, k, d);
        if direct {
            let back = r.transpose();
            g = [omega.cross(&spin), -gravity * m];
            b_w = -y.cross(&turn) - back * shift;
            z = omega.cross(&(back * u * 2.0 - omega.cross(&y)));
            k = [
                -l.cross(&(y.cross(&turn) + back * shift)),
                r * l.cross(&turn),
            ];
            d = [
                omega.cross(&turn.component_mul(&j)) - spin.cross(&turn),
                Vector3::zeros(),
            ];
        } else {
            g = [omega.cross(&spin), omega.cross(&u) * m - weight];
            b_w = -y.cross(&turn) - shift;
            z = omega.cross(&(u - omega.cross(&y)));
            k = [-l.cross(&(y.cross(&turn) + shift)), -weight.cross(&turn)];
            d = [
                omega.cross(&turn.component_mul(&j)) - spin.cross(&turn),
                (turn.cross(&u) + omega.cross(&shift)) * m,
            ];
        }
        let join = |[a, b]: [Vector3<f64>; 2]| [a.as_slice(), b.as_slice()].concat();
        let mut geometry = system.new_geometry();
        let (mut c, mut f) = (system.new_multiplier(), system.new_velocity());
        system.geometry(0.0, &q, &mut geometry).unwrap();
        system.constraint(0.0, &q, &geometry, &mut c);
        assert_close("Phi", &c, (arm - y).as_slice());
        system.force(0.0, &geometry, &v, &mut f);
        assert_close("g", &f, &join(g));
        system.jacobian_times(&geometry, &w, &mut c);
        assert_close("B w", &c, b_w.as_slice());
        system.constraint_quadratic(0.0, &q, &geometry, &v, &mut c);
        assert_close("Z", &c, z.as_slice());
        system.stiffness_times(0.0, &q, &geometry, &v, &lambda, &w, &mut f);
        assert_close("K w", &f, &join(k));
        system.damping_times(0.0, &q, &geometry, &v, &w, &mut f);
        assert_close("D w", &f, &join(d));

        // Transposed product and both solves, by substitution.
        system.jacobian_transpose_times(&geometry, &lambda, &mut f);
        let power: f64 = f.iter().zip(&w).map(|(f, w)| f * w).sum();
        assert_close("lambda B w", &[power], &[l.dot(&b_w)]);
        let mut scratch = Scratch::new(&system);
        let (mut vdot, mut multiplier) = (system.new_velocity(), system.new_multiplier());
        let stage = Stage {
            t: 0.0,
            geometry: &geometry,
            v: &v,
        };
        system
            .accelerations(&stage, &q, &mut vdot, &mut multiplier, &mut scratch)
            .unwrap();
        let mut inertia = system.new_velocity();
        system.mass_times(&vdot, &mut inertia);
        system.jacobian_transpose_times(&geometry, &multiplier, &mut f);
        let balance: Vec<f64> = join(g)
            .iter()
            .zip(&inertia)
            .zip(&f)
            .map(|((g, a), f)| g + a + f)
            .collect();
        assert_close("M v' + g + B^T lambda", &balance, &[0.0; 6]);
        system.jacobian_times(&geometry, &vdot, &mut c);
        assert_close("B v'", &c, (-z).as_slice());
    }
}
