//! What models with arrays call besides their parts: views of elements, loads in time.

use crate::chain::{Load, LoadFrame, Profile};
use crate::generic::TimeFormula;
use crate::generic::description::Formula;
use crate::lie::GroupKind;
use crate::view::BodyView;

/// An array of nodes or bodies in a configuration, without those that are clamped.
#[derive(Clone, Copy, Debug)]
pub struct RowLayout<'a> {
    /// Group of each.
    pub kind: GroupKind,
    /// Length.
    pub len: i64,
    /// Indices of clamped ones.
    pub clamped: &'a [i64],
}

impl RowLayout<'_> {
    /// How many are in the configuration.
    fn moving(&self) -> usize {
        let clamped = i64::try_from(self.clamped.len()).unwrap_or(i64::MAX);
        usize::try_from(self.len - clamped).unwrap_or(0)
    }
}

/// The view of the moving element with a given place in the last row; `origin` as in [`BodyView`].
fn view<'a>(
    rows: &[RowLayout<'_>],
    q: &'a [f64],
    v: &'a [f64],
    origin: [f64; 3],
    place: usize,
) -> Option<BodyView<'a>> {
    let (last, before) = rows.split_last()?;
    let (numbers, dof) = (last.kind.config_len(), last.kind.dof());
    let (mut config, mut velocity) = (numbers * place, dof * place);
    for row in before {
        config += row.moving() * row.kind.config_len();
        velocity += row.moving() * row.kind.dof();
    }
    let (q, v) = (
        q.get(config..config + numbers)?,
        v.get(velocity..velocity + dof)?,
    );
    Some(BodyView::new(last.kind, q, v, origin))
}

/// An element of the last row; nothing if there is none, or if it is clamped.
pub fn element_view<'a>(
    rows: &[RowLayout<'_>],
    q: &'a [f64],
    v: &'a [f64],
    origin: [f64; 3],
    index: usize,
) -> Option<BodyView<'a>> {
    let row = rows.last()?;
    let index = i64::try_from(index).ok()?;
    if index >= row.len || row.clamped.contains(&index) {
        return None;
    }
    let below = row.clamped.iter().filter(|clamped| **clamped < index);
    let place = index - i64::try_from(below.count()).ok()?;
    view(rows, q, v, origin, usize::try_from(place).ok()?)
}

/// The single body that the last row is.
///
/// # Panics
/// If the numbers are not those of a state of the model.
pub fn member_view<'a>(
    rows: &[RowLayout<'_>],
    q: &'a [f64],
    v: &'a [f64],
    origin: [f64; 3],
) -> BodyView<'a> {
    view(rows, q, v, origin, 0).expect("a state of this model")
}

/// Whole numbers as real ones.
pub fn reals<const N: usize>(whole: &[i64; N]) -> [f64; N] {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    whole.map(|n| n as f64)
}

/// A formula at `t = 0`, or zero if it reads the motion.
pub fn at_start(formula: &Formula) -> f64 {
    formula.at_time(0.0).unwrap_or(0.0)
}

/// A load with one component, a function of time: a force for the slots 0 to 2, then a moment.
pub fn timed_load(frame: LoadFrame, slot: usize, formula: &Formula) -> Load {
    let unit = |first: usize| core::array::from_fn(|i| if first + i == slot { 1.0 } else { 0.0 });
    Load {
        force: unit(0),
        moment: unit(3),
        frame,
        // A formula that reads more than time has no value.
        profile: TimeFormula::new(formula)
            .map_or(Profile::Function(|_| f64::NAN), Profile::Formula),
    }
}
