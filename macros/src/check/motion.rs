//! Rules about the start: positions and velocities that fulfil the joints.

use super::force;
use super::linear::RowBasis;
use super::metric::Metric;
use crate::assembly::Assembled;
use crate::diag::Diagnostics;
use crate::expr::{Id, Input};
use crate::formula::{Formula, Leaf};
use crate::geometry::Direction;
use crate::groups;
use crate::mechanics::Mechanics;
use crate::start::Start;

/// Largest violation of a constraint at the start, the same as the solvers'.
pub(super) const TOLERANCE: f64 = 1e-8;

/// Rows of this part of their length are rounding errors.
const NOTHING: f64 = 1e-9;

/// Of Newton's method.
const MOST_ITERATIONS: usize = 40;

/// A point in phase space, with late values by default.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    /// Values of the array `c`.
    pub(super) constants: Vec<f64>,
}

impl Point {
    fn input(&self, input: Input) -> f64 {
        let list = match input.array {
            "q" => &self.q,
            "v" => &self.v,
            "c" => &self.constants,
            _ => return 0.0, // the start is at t = 0
        };
        let place = input.index.map_or(usize::MAX, |index| index as usize);
        list.get(place).copied().unwrap_or(0.0)
    }

    /// Values of expressions here.
    pub(super) fn evaluate(&self, mechanics: &mut Mechanics<'_>, outputs: &[Id]) -> Vec<f64> {
        mechanics
            .graph()
            .evaluate(outputs, &|input| self.input(input))
    }

    /// `Phi`.
    pub(super) fn constraints(&self, mechanics: &mut Mechanics<'_>) -> Vec<f64> {
        let phi: Vec<Id> = mechanics
            .phi
            .clone()
            .into_iter()
            .map(|phi| mechanics.geometry.lower_scalar(phi))
            .collect();
        self.evaluate(mechanics, &phi)
    }

    /// `dPhi/dt` at rest.
    fn constraint_rates(&self, mechanics: &mut Mechanics<'_>) -> Vec<f64> {
        let rates: Vec<Id> = mechanics
            .rates(&Direction::of_time())
            .into_iter()
            .map(|rate| mechanics.geometry.lower_scalar(rate))
            .collect();
        self.evaluate(mechanics, &rates)
    }

    /// `B` by rows.
    pub(super) fn jacobian(&self, mechanics: &mut Mechanics<'_>) -> Vec<Vec<f64>> {
        let columns = mechanics.model.dof();
        let rows = mechanics.jacobian.clone();
        rows.into_iter()
            .map(|row| {
                let (places, entries): (Vec<usize>, Vec<Id>) = row.into_iter().unzip();
                let mut dense = vec![0.0; columns];
                for (place, entry) in places.into_iter().zip(self.evaluate(mechanics, &entries)) {
                    dense[place] = entry;
                }
                dense
            })
            .collect()
    }

    /// `q * exp(theta)`.
    pub(super) fn displaced(&self, mechanics: &mut Mechanics<'_>, theta: &[f64]) -> Self {
        let model = mechanics.model;
        let mut outputs = Vec::new();
        for body in &model.bodies {
            let g = mechanics.graph();
            let (nq, nv) = (body.group.config_len(), body.group.dof());
            let q: Vec<Id> = (0..nq).map(|i| g.input("q", body.config + i)).collect();
            let increment: Vec<Id> = (0..nv)
                .map(|i| {
                    let component = theta.get(body.velocity + i).copied().unwrap_or(0.0);
                    g.constant(component)
                })
                .collect();
            outputs.extend(groups::displace(g, body.group, &q, &increment));
        }
        let mut q = self.evaluate(mechanics, &outputs);
        q.extend(&self.q[q.len()..]);
        Self { q, ..self.clone() }
    }

    /// Newton's method with the shortest corrections, and the number of its iterations; `None` if it
    /// does not converge.
    pub(super) fn assembled(&self, mechanics: &mut Mechanics<'_>) -> Option<(Self, usize)> {
        let mut point = self.clone();
        let columns = mechanics.model.dof();
        for iteration in 0..MOST_ITERATIONS {
            let phi = point.constraints(mechanics);
            let size = largest(&phi).1;
            if size < 1e-14 {
                return Some((point, iteration));
            }
            let right: Vec<f64> = phi.iter().map(|x| -x).collect();
            let basis = RowBasis::new(&point.jacobian(mechanics));
            let mut theta = basis.shortest(&right, columns);
            let length = theta.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.5 {
                for x in &mut theta {
                    *x *= 0.5 / length;
                }
            }
            if !length.is_finite() {
                return None;
            }
            let next = point.displaced(mechanics, &theta);
            let now = largest(&next.constraints(mechanics)).1;
            if size < 1e-11 && now >= size {
                return Some((point, iteration));
            }
            point = next;
        }
        (largest(&point.constraints(mechanics)).1 < 1e-11).then_some((point, MOST_ITERATIONS))
    }
}

fn largest(x: &[f64]) -> (usize, f64) {
    let mut worst = (0, 0.0);
    for (i, x) in x.iter().enumerate() {
        if x.abs() > worst.1 || x.is_nan() {
            worst = (i, x.abs());
        }
    }
    worst
}

/// The declared start, with default parameters and one value for all constants outside of the
/// model.
pub(super) fn declared(
    mechanics: &mut Mechanics<'_>,
    start: &Start,
    outside: f64,
) -> Option<Point> {
    let model = mechanics.model;
    let number = |formula: &Formula| {
        formula.evaluate(&|leaf| match leaf {
            Leaf::Parameter(place) => Some(model.parameters[place].default),
            Leaf::Outside(_) => Some(outside),
            _ => None,
        })
    };
    let numbers = |list: &[Formula]| -> Option<Vec<f64>> { list.iter().map(number).collect() };
    let mut p: Vec<f64> = model.parameters.iter().map(|p| p.default).collect();
    p.resize(model.late(), outside);
    let constants = mechanics.geometry.constants.clone();
    let constants = mechanics.graph().evaluate(&constants, &|input| {
        let place = input.index.map_or(usize::MAX, |index| index as usize);
        p.get(place).copied().unwrap_or(f64::NAN)
    });
    Some(Point {
        q: numbers(&start.q)?,
        v: numbers(&start.v)?,
        constants,
    })
}

/// Checks and completes the start. `None` if it is not known yet, or so wrong that the joints cannot
/// be closed; otherwise a point where they are.
pub(super) fn start(
    mechanics: &mut Mechanics<'_>,
    start: &mut Start,
    dx: &mut Diagnostics,
) -> Option<Point> {
    let model = mechanics.model;
    let mut point = declared(mechanics, start, f64::NAN)?;
    if point.q.iter().chain(&point.v).any(|x| x.is_nan()) {
        return None;
    }
    let phi = point.constraints(mechanics);
    if phi.iter().any(|x| !x.is_finite()) {
        undefined(mechanics, &phi, dx);
        return None;
    }
    if largest(&phi).1 > TOLERANCE {
        if model.assemble {
            point = assemble(mechanics, &point, start, dx)?;
        } else {
            positions(mechanics, &phi, dx);
            // Velocities may be those of the start that is meant.
            return point.assembled(mechanics).map(|(closed, _)| closed);
        }
    }
    complete(mechanics, &mut point, start);
    velocities(mechanics, &point, dx);
    Some(point)
}

/// Joints without a number at the start. What is not a number may be a constant outside of the
/// model, which is not known.
fn undefined(mechanics: &Mechanics<'_>, phi: &[f64], dx: &mut Diagnostics) {
    let known = mechanics.model.outside.is_empty();
    for (joint, rows) in mechanics.model.joints.iter().zip(&mechanics.joint_rows) {
        let wrong = |x: &f64| x.is_infinite() || (known && x.is_nan());
        if phi[rows.clone()].iter().any(wrong) {
            dx.error(
                joint.name.span(),
                format!("joint `{}` has no finite value at the start", joint.name),
                force::NOT_FINITE,
            );
        }
    }
}

/// Closes the loops of an approximate start.
fn assemble(
    mechanics: &mut Mechanics<'_>,
    point: &Point,
    start: &mut Start,
    dx: &mut Diagnostics,
) -> Option<Point> {
    let Some((closed, iterations)) = point.assembled(mechanics) else {
        let phi = point.constraints(mechanics);
        let (row, gap) = largest(&phi);
        let joint = joint_of(mechanics, row);
        dx.error(
            joint.name.span(),
            format!(
                "the mechanism cannot be assembled: joint `{}` starts {gap:.6} apart and stays open",
                joint.name
            ),
            "give start positions that are closer, or check the lengths",
        );
        return None;
    };
    if mechanics.model.late() == 0 {
        start.q = closed.q.iter().copied().map(Formula::Number).collect();
        start.assembled = Some(Assembled {
            declared: point.q.clone(),
            iterations,
        });
    }
    Some(closed)
}

fn joint_of<'m>(mechanics: &Mechanics<'m>, row: usize) -> &'m crate::model::Joint {
    let place = mechanics
        .joint_rows
        .iter()
        .position(|rows| rows.contains(&row))
        .unwrap_or(0);
    &mechanics.model.joints[place]
}

/// Start positions that violate a joint, with the gap.
fn positions(mechanics: &Mechanics<'_>, phi: &[f64], dx: &mut Diagnostics) {
    for (joint, rows) in mechanics.model.joints.iter().zip(&mechanics.joint_rows) {
        let (row, gap) = largest(&phi[rows.clone()]);
        if gap <= TOLERANCE {
            continue;
        }
        let direction = direction(mechanics, rows.start + row);
        let sizes: Vec<String> = phi[rows.clone()]
            .iter()
            // No sign where rounding to six digits leaves nothing.
            .map(|x| if x.abs() < 5e-7 { 0.0 } else { *x })
            .map(|x| format!("{x:.6}"))
            .collect();
        dx.error(
            joint.name.span(),
            format!(
                "the start positions violate joint `{}`: {direction} is {gap:.6} off (all of it: {})",
                joint.name,
                sizes.join(", ")
            ),
            "correct the start or the points of the joint, or write `assemble` in the attribute `#[multibody(..)]` to close small gaps",
        );
    }
}

/// The direction of a row, without the name of the joint.
fn direction(mechanics: &Mechanics<'_>, row: usize) -> String {
    let name = &mechanics.row_names[row];
    name.split_once(", ")
        .map_or(name.as_str(), |(_, rest)| rest)
        .to_owned()
}

/// `B v + dPhi/dt`.
fn hidden(mechanics: &mut Mechanics<'_>, point: &Point) -> Vec<f64> {
    let rates = point.constraint_rates(mechanics);
    point
        .jacobian(mechanics)
        .iter()
        .zip(rates)
        .map(|(row, rate)| row.iter().zip(&point.v).map(|(b, v)| b * v).sum::<f64>() + rate)
        .collect()
}

/// Velocities that are not declared follow from the joints: of all that fulfil them those of the least
/// kinetic energy. With `M = L L^T` over the undeclared ones and `v = L^-T x`, `x` is the shortest solution
/// of `B L^-T x = -dPhi/dt - B v_declared`.
fn complete(mechanics: &mut Mechanics<'_>, point: &mut Point, start: &mut Start) {
    if start.declared.iter().all(|declared| *declared) {
        return;
    }
    // Joints with the ground come first: where declared velocities contradict each other, the
    // error then names a joint between moving bodies.
    let model = mechanics.model;
    let mut order: Vec<usize> = (0..model.joints.len()).collect();
    order.sort_by_key(|joint| {
        let joint = &model.joints[*joint];
        joint.first.body.is_some() && joint.second.body.is_some()
    });
    let rows: Vec<usize> = order
        .into_iter()
        .flat_map(|joint| mechanics.joint_rows[joint].clone())
        .collect();
    let residual = hidden(mechanics, point);
    let mut right: Vec<f64> = rows.iter().map(|row| -residual[*row]).collect();
    let jacobian = point.jacobian(mechanics);
    let metric = Metric::new(mechanics, point, &start.declared);
    let whole = Metric::new(mechanics, point, &vec![false; start.declared.len()]);
    let mut free: Vec<Vec<f64>> = rows.iter().map(|row| jacobian[*row].clone()).collect();
    for (row, right) in free.iter_mut().zip(&mut right) {
        let mut all = row.clone();
        whole.divide(&mut all);
        metric.divide(row);
        // Equally long, since light bodies make long rows; but rows of rounding errors hold declared
        // velocities alone.
        let length = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let scale = match length(row) {
            part if part > NOTHING * length(&all) => 1.0 / part,
            _ => 0.0,
        };
        for x in row.iter_mut().chain([right]) {
            *x *= scale;
        }
    }
    let mut correction = RowBasis::new(&free).shortest(&right, point.v.len());
    metric.divide_transposed(&mut correction);
    for (i, correction) in correction.into_iter().enumerate() {
        if !start.declared[i] && correction != 0.0 {
            point.v[i] += correction;
            // With parameters the constructor completes the velocities.
            if mechanics.model.late() == 0 {
                start.v[i] = Formula::Number(point.v[i]);
            }
        }
    }
}

/// Start velocities that violate a joint, with the residual.
fn velocities(mechanics: &mut Mechanics<'_>, point: &Point, dx: &mut Diagnostics) {
    let residual = hidden(mechanics, point);
    let speed = largest(&point.v).1.max(1.0);
    for (joint, rows) in mechanics.model.joints.iter().zip(&mechanics.joint_rows) {
        let (row, size) = largest(&residual[rows.clone()]);
        if size <= TOLERANCE * speed {
            continue;
        }
        let direction = direction(mechanics, rows.start + row);
        let turns = direction.contains("normal") || direction.contains("angle");
        let unit = if turns { "rad/s" } else { "per second" };
        dx.error(
            joint.name.span(),
            format!(
                "the start velocities violate joint `{}`: {direction} changes by {size:.6} {unit}",
                joint.name
            ),
            "correct them, or leave out `velocity` or `angular_velocity` of a body: what is not given follows from the joints",
        );
    }
}
