//! Rules about numbers, for each element of an array.
//!
//! Numbers may depend on the index and on counts. They are tried with the default counts, so that
//! what the default parameters give is checked before anything runs. Where a count is a const
//! generic, the elements are tried that every count has, with eight for the count. Of a long array
//! those at both ends are tried. The constructor checks them all, for the counts it is given.

use proc_macro2::Ident;

use super::super::affine::Affine;
use super::super::model::{Arrays, Force, Joint, Rod};
use crate::check;
use crate::diag::{At, Diagnostics};
use crate::forces::Form;
use crate::formula::{Formula, Leaf};
use crate::model::{JointKind, Model};

/// How many elements at each end of an array are tried.
const TRIED: i64 = 500;

/// An element, with its index as the value of `i`.
struct Tried<'a> {
    arrays: &'a Arrays,
    model: &'a Model,
    /// `None` for a single item.
    index: Option<i64>,
}

impl Tried<'_> {
    /// The element in words, as far as the formulas tell elements and counts apart:
    /// `` `edges` ``, `` `edges[3]` with n = 8 ``.
    fn name<'f>(&self, name: &Ident, formulas: impl IntoIterator<Item = &'f Formula>) -> String {
        let last = self.model.parameters.len() - 1;
        let first = self.arrays.parameter_count();
        let (mut by_index, mut by_count) = (false, false);
        for formula in formulas {
            formula.leaves(&mut |leaf| {
                if let Leaf::Parameter(place) = leaf {
                    by_index |= place == last;
                    by_count |= (first..last).contains(&place);
                }
            });
        }
        let item = match self.index.filter(|_| by_index) {
            Some(index) => format!("`{name}[{index}]`"),
            None => format!("`{name}`"),
        };
        if by_count {
            return format!("{item} with {}", self.arrays.sample_in_words());
        }
        item
    }

    fn value(&self, formula: &Formula) -> Option<f64> {
        self.model.by_default(formula)
    }

    /// A number is finite, and positive or not negative.
    fn number(
        &self,
        (word, name): (&str, &Ident),
        formula: &Formula,
        at: At,
        positive: bool,
        dx: &mut Diagnostics,
    ) {
        let Some(value) = self.value(formula) else {
            return;
        };
        let fits = if positive { value > 0.0 } else { value >= 0.0 };
        if fits && value.is_finite() {
            return;
        }
        let help = if positive {
            "write a positive number"
        } else {
            "write zero or a positive number"
        };
        let item = self.name(name, [formula]);
        dx.error(at, format!("the {word} of {item} is {value}"), help);
    }
}

/// Tries the elements of a field, until one has errors.
fn each(
    arrays: &Arrays,
    len: Option<&Affine>,
    dx: &mut Diagnostics,
    rule: impl Fn(&Tried<'_>, &mut Diagnostics),
) {
    let counts = arrays.counts.iter();
    let counts: Vec<i64> = counts.map(|n| n.default.unwrap_or(n.min)).collect();
    // The first is tried even if an array may be empty: then it is so for no other count.
    let length = len.and_then(|len| len.at(&counts, 0)).unwrap_or(1).max(1);
    let mut model = arrays.model.clone();
    let errors = dx.len();
    for index in (0..length.min(TRIED)).chain((length - TRIED).max(TRIED)..length) {
        if let Some(place) = model.parameters.last_mut() {
            #[expect(clippy::cast_precision_loss, reason = "lengths are below 2^52")]
            let value = index as f64;
            place.default = value;
        }
        let tried = Tried {
            arrays,
            model: &model,
            index: len.map(|_| index),
        };
        rule(&tried, dx);
        if dx.len() > errors {
            return;
        }
    }
}

/// All of them.
pub(super) fn all(arrays: &Arrays, dx: &mut Diagnostics) {
    for member in arrays.members.iter().filter(|member| !member.node) {
        each(arrays, member.len.as_ref(), dx, |tried, dx| {
            let body = &member.body;
            let formulas = body.inertia.iter().flatten().chain([&body.mass]);
            let name = tried.name(&body.name, formulas);
            check::body(tried.model, body, &name, dx);
        });
    }
    for rod in &arrays.rods {
        each(arrays, rod.len.as_ref(), dx, |tried, dx| {
            rod_numbers(tried, rod, dx);
            if dx.is_empty() {
                rod_turn(tried, rod, dx);
            }
        });
    }
    for joint in &arrays.joints {
        each(arrays, joint.len.as_ref(), dx, |tried, dx| {
            joint_numbers(tried, joint, dx);
        });
    }
    for force in &arrays.forces {
        each(arrays, force.len.as_ref(), dx, |tried, dx| {
            force_numbers(tried, force, dx);
        });
    }
}

/// A distance is positive.
fn joint_numbers(tried: &Tried<'_>, joint: &Joint, dx: &mut Diagnostics) {
    if let (JointKind::Distance { length }, Some(at)) = (&joint.kind, joint.length_at) {
        tried.number(("length", &joint.name), length, at, true, dx);
    }
}

/// Stiffnesses, dampings, gains and lengths are not negative.
fn force_numbers(tried: &Tried<'_>, force: &Force, dx: &mut Diagnostics) {
    for (number, given) in force.law.numbers.iter().zip(&force.coefficients) {
        let checked = match number.form {
            Form::Any => None,
            Form::NotNegative => given.entries.first(),
            Form::Stiffness | Form::Damping => {
                let mut diagonal = given.entries.iter().step_by(7);
                diagonal.find(|entry| tried.value(entry).is_some_and(|x| !(x >= 0.0)))
            }
        };
        if let Some(formula) = checked {
            let what = (number.called, &force.name);
            tried.number(what, formula, given.at, false, dx);
        }
    }
}

/// Lengths, densities and inertias are positive; stiffnesses and dampings are not negative.
fn rod_numbers(tried: &Tried<'_>, rod: &Rod, dx: &mut Diagnostics) {
    let mut number = |word: &str, formula: &Formula, at: At, positive: bool| {
        tried.number((word, &rod.name), formula, at, positive, dx);
    };
    number("length", &rod.length.0, rod.length.1, true);
    number("density", &rod.density.0, rod.density.1, true);
    let smallest = |list: &[Formula]| {
        let values = list.iter().map(|formula| (tried.value(formula), formula));
        let known = values.filter_map(|(value, formula)| Some((value?, formula.clone())));
        known
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, formula)| formula)
    };
    if let Some(inertia) = smallest(&rod.inertia.0) {
        number("rotational inertia", &inertia, rod.inertia.1, true);
    }
    let words = [
        "bending",
        "bending",
        "torsion",
        "shear",
        "shear",
        "extension",
    ];
    for (i, (formula, at)) in rod.stiffness.iter().enumerate() {
        // Two numbers that are one in the model are one error.
        if i == 0 || words[i] != words[i - 1] || rod.stiffness[i - 1].0 != *formula {
            number(&format!("stiffness of {}", words[i]), formula, *at, false);
        }
    }
    if let Some(damping) = smallest(&rod.damping.0) {
        number("damping", &damping, rod.damping.1, false);
    }
    number(
        "damping factor",
        &rod.damping_factor.0,
        rod.damping_factor.1,
        false,
    );
}

/// The ends of an element that is free of stress are less than half a turn apart.
fn rod_turn(tried: &Tried<'_>, rod: &Rod, dx: &mut Diagnostics) {
    let (curvature, at) = &rod.curvature;
    let [Some(a), Some(b), Some(c), Some(length)] =
        [&curvature[0], &curvature[1], &curvature[2], &rod.length.0].map(|x| tried.value(x))
    else {
        return;
    };
    let angle = length * (a * a + b * b + c * c).sqrt();
    if angle < core::f64::consts::PI {
        return;
    }
    let item = tried.name(&rod.name, curvature.iter().chain([&rod.length.0]));
    dx.error(
        *at,
        format!("{item} turns by {angle:.3} rad free of stress, which is half a turn or more"),
        "write a smaller curvature, or use more and shorter elements",
    );
}
