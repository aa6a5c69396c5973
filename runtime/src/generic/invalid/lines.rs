//! Forces along the line between two points need the points apart.

use super::super::description::{Attachment, ForceKind};
use super::{Index, InvalidDescription};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Distances that are this small against the coordinates of the points are rounding errors.
const ROUNDING: f64 = 1e-14;

/// Springs have a direction at the start.
pub(in super::super) fn check_lines(description: &Index<'_>) -> Result<(), InvalidDescription> {
    for force in &description.forces {
        let ForceKind::SpringDamper { first, second, .. } = &force.kind else {
            continue;
        };
        let [(a, a_size), (b, b_size)] = [first, second].map(|side| at_start(description, side));
        if (a - b).norm() <= ROUNDING * a_size.max(b_size) {
            return Err(InvalidDescription::Coincident {
                item: format!("force `{}`", force.name),
            });
        }
    }
    Ok(())
}

/// Where a point is at the start, and the size of the numbers that it is a sum of.
fn at_start(description: &Index<'_>, side: &Attachment) -> (Vector3<f64>, f64) {
    let point = Vector3::from(side.point);
    let Some(place) = description.body(&side.body) else {
        return (point, point.norm());
    };
    let body = &description.bodies[place];
    let mut origin = Vector3::zeros();
    for (x, place) in origin.iter_mut().zip(&body.start.position) {
        *x = *place;
    }
    let [w, x, y, z] = body.start.rotation;
    let turned = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)) * point;
    (origin + turned, origin.norm() + point.norm())
}
