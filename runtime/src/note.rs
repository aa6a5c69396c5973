//! What a run tells about itself beside its result.

use core::fmt;

/// Something that a careful reader of a result wants to know.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// The constraints became linearly dependent on the way, and the motion went straight on.
    SingularPosition {
        /// Joint and direction of the constraint that depended on the others.
        constraint: String,
        /// When it was passed first.
        t: f64,
        /// How often.
        count: u64,
        /// The smallest relative pivot at a state beside such a position.
        pivot: f64,
    },
    /// The energy of a system without sources of energy grew.
    EnergyGrew {
        /// When it was largest.
        t: f64,
        /// Total energy at the start.
        from: f64,
        /// Its largest value.
        to: f64,
    },
    /// The steps were limited by stability and not by accuracy.
    Stiff {
        /// When that was noticed first.
        t: f64,
        /// Size of the step there.
        h: f64,
        /// The fastest rate of decay, times the step.
        product: f64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SingularPosition {
                constraint,
                t,
                count,
                pivot,
            } => {
                let times = match count {
                    1 => String::new(),
                    count => format!(", {count} times in all"),
                };
                write!(
                    f,
                    "passed a singular position at t = {t:.6}{times}: there {constraint} depends on \
                     the other constraints (relative pivot {pivot:.1e} beside it), and other motions \
                     branch off; this one goes straight on"
                )
            }
            Self::EnergyGrew { t, from, to } => write!(
                f,
                "the energy grew from {from:.6e} to {to:.6e} at t = {t}, and nothing in the model \
                 supplies any: the steps are too large for this method; take smaller ones or, if the \
                 model is stiff, `stabilized_index2`"
            ),
            Self::Stiff { t, h, product } => write!(
                f,
                "the model is stiff: from t = {t:.6} on, steps (there {h:.2e}) were limited by \
                 stability (h |lambda| = {product:.1}) and not by accuracy; take `stabilized_index2`"
            ),
        }
    }
}

/// Takes a note: the first of its kind at each place, with what is said of the later ones.
pub(crate) fn add(notes: &mut Vec<Note>, new: Note) {
    for note in &mut *notes {
        match (note, &new) {
            (
                Note::SingularPosition {
                    constraint,
                    count,
                    pivot,
                    ..
                },
                Note::SingularPosition {
                    constraint: same,
                    count: more,
                    pivot: other,
                    ..
                },
            ) if constraint == same => {
                *count += more;
                *pivot = pivot.min(*other);
                return;
            }
            (Note::Stiff { .. }, Note::Stiff { .. }) => return,
            _ => {}
        }
    }
    notes.push(new);
}
