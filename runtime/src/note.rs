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
            _ => {}
        }
    }
    notes.push(new);
}
