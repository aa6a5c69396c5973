//! Constraints that repeat others, and what a mechanism can do.

use super::Mobility;
use super::linear::RowBasis;
use super::motion::{Point, declared};
use crate::diag::Diagnostics;
use crate::joints::Held;
use crate::mechanics::Mechanics;
use crate::model::{JointKind, Model};
use crate::start::Start;

/// Sizes of the random displacements that leave a special configuration.
const SPREAD: f64 = 0.1;

/// The rank of the constraints at the start and close to it.
pub(super) fn constraints(
    mechanics: &mut Mechanics<'_>,
    start: &Point,
    dx: &mut Diagnostics,
) -> Option<Mobility> {
    let at_start = RowBasis::new(&start.jacobian(mechanics));
    let best = best(mechanics, start);
    let (rows, velocities) = (mechanics.phi.len(), mechanics.model.dof());
    let mobility = Mobility {
        grubler: velocities.cast_signed() - rows.cast_signed(),
        degrees: velocities - best.rank(),
        redundant: rows - best.rank(),
    };
    if mechanics.model.redundant {
        return Some(mobility);
    }
    if best.rank() < rows {
        redundant(mechanics, start, &best, dx);
        return None;
    }
    if at_start.rank() < rows {
        singular(mechanics, &at_start, dx);
        return None;
    }
    Some(mobility)
}

/// Values of constants outside of the model: what holds for all of these holds for any.
const OUTSIDE: [f64; 3] = [1.0, 0.7, 0.2];

/// Constraints that repeat others whatever the constants outside of the model are.
pub(super) fn for_all_constants(
    mechanics: &mut Mechanics<'_>,
    start: &Start,
    dx: &mut Diagnostics,
) {
    if mechanics.model.redundant {
        return;
    }
    let mut found = None;
    for value in OUTSIDE {
        let point = declared(mechanics, start, value);
        let Some((point, _)) = point.and_then(|point| point.assembled(mechanics)) else {
            continue;
        };
        let basis = best(mechanics, &point);
        if basis.rank() == mechanics.phi.len() {
            return;
        }
        found = Some((point, basis));
    }
    if let Some((point, basis)) = found {
        redundant(mechanics, &point, &basis, dx);
    }
}

/// The largest rank at a point and close to it.
fn best(mechanics: &mut Mechanics<'_>, point: &Point) -> RowBasis {
    let mut best = RowBasis::new(&point.jacobian(mechanics));
    for point in nearby(mechanics, point) {
        let basis = RowBasis::new(&point.jacobian(mechanics));
        if basis.rank() > best.rank() {
            best = basis;
        }
    }
    best
}

/// Admissible configurations close to the start.
fn nearby(mechanics: &mut Mechanics<'_>, start: &Point) -> Vec<Point> {
    let mut seed = 1_u64;
    let mut points = Vec::new();
    for _ in 0..3 {
        let theta: Vec<f64> = (0..mechanics.model.dof())
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                #[expect(clippy::cast_precision_loss, reason = "53 bits")]
                let unit = (seed >> 11) as f64 / (1_u64 << 53) as f64;
                SPREAD * (2.0 * unit - 1.0)
            })
            .collect();
        let moved = start.displaced(mechanics, &theta);
        points.extend(moved.assembled(mechanics).map(|(closed, _)| closed));
    }
    points
}

/// Names the joint whose constraints repeat those before, and a joint that would fit.
fn redundant(mechanics: &mut Mechanics<'_>, start: &Point, basis: &RowBasis, dx: &mut Diagnostics) {
    let model = mechanics.model;
    let (rows, rank) = (mechanics.phi.len(), basis.rank());
    let names: Vec<String> = basis
        .dependent
        .iter()
        .map(|row| mechanics.row_names[*row].clone())
        .collect();
    let last = basis.dependent.last().copied().unwrap_or(0);
    let place = mechanics
        .joint_rows
        .iter()
        .position(|rows| rows.contains(&last))
        .unwrap_or(0);
    let joint = &model.joints[place];
    let help = fitting(model, start, rank).map_or_else(
        || "remove what holds the same direction twice, or write `redundant = \"allow\"` in the attribute `#[multibody(..)]`".to_owned(),
        |(joint, kind)| {
            format!("make `{joint}` a `{kind}` joint, which leaves the same motion, or write `redundant = \"allow\"` in the attribute `#[multibody(..)]`")
        },
    );
    let degrees = match model.dof() - rank {
        1 => "1 degree".to_owned(),
        degrees => format!("{degrees} degrees"),
    };
    dx.error(
        joint.kind_span,
        format!(
            "{} of the {rows} constraints repeat others: {}; the mechanism has {degrees} of freedom",
            rows - rank,
            names.join("; "),
        ),
        help,
    );
}

/// The start is special: the constraints depend on each other there, and not close to it.
fn singular(mechanics: &Mechanics<'_>, basis: &RowBasis, dx: &mut Diagnostics) {
    let row = basis.dependent.last().copied().unwrap_or(0);
    let place = mechanics
        .joint_rows
        .iter()
        .position(|rows| rows.contains(&row))
        .unwrap_or(0);
    let joint = &mechanics.model.joints[place];
    dx.error(
        joint.name.span(),
        format!(
            "the start is a singular configuration: there {} depends on the other constraints",
            mechanics.row_names[row]
        ),
        "start a little away from it: the forces in the joints are not determined there",
    );
}

/// A single joint that can be replaced so that nothing is held twice and nothing gets loose.
fn fitting(model: &Model, start: &Point, rank: usize) -> Option<(String, &'static str)> {
    for place in (0..model.joints.len()).rev() {
        let held = model.joints[place].kind.line();
        for looser in held.map(Held::looser).unwrap_or_default() {
            let mut changed = model.clone();
            changed.joints[place].kind = JointKind::Held(looser);
            let mut mechanics = Mechanics::new(&changed);
            if mechanics.phi.len() != rank {
                continue;
            }
            let full = nearby(&mut mechanics, start)
                .iter()
                .all(|point| RowBasis::new(&point.jacobian(&mut mechanics)).rank() == rank);
            if full {
                return Some((changed.joints[place].name.to_string(), looser.name));
            }
        }
    }
    None
}
