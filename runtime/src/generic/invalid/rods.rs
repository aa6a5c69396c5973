//! Checks of rod elements.

use super::{Index, InvalidDescription, check_number, check_numbers, check_pair};
use crate::chain::rod::reference_turn;
use crate::generic::description::RodElement;
use crate::lie::GroupKind;
use core::f64::consts::PI;

pub(super) fn check_rod(
    description: &Index<'_>,
    rod: &RodElement,
) -> Result<(), InvalidDescription> {
    let item = format!("rod `{}`", rod.name);
    check_pair(description, &item, &rod.first, &rod.second)?;
    for side in [&rod.first, &rod.second] {
        if let Some(group @ GroupKind::Rn(_)) = description.group(&side.body) {
            return Err(InvalidDescription::Group {
                item,
                group,
                problem: "a rod is clamped to the frames at its ends, and a point has no axes; \
                          use a rigid body with the inertia of the piece of rod",
            });
        }
    }
    check_number(&item, "length", rod.length, rod.length > 0.0, "positive")?;
    check_numbers(&item, "reference strain", &rod.reference)?;
    let turn = reference_turn(rod.length, &rod.reference);
    let expected = "less than half a turn";
    check_number(
        &item,
        "turn of the reference curvature",
        turn,
        turn < PI,
        expected,
    )?;
    let not_negative = |quantity, values: &[f64]| {
        values.iter().try_for_each(|&value| {
            check_number(&item, quantity, value, value >= 0.0, "zero or positive")
        })
    };
    not_negative("stiffness", &rod.stiffness)?;
    not_negative("damping", &rod.damping)
}
