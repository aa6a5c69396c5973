//! What can be wrong with a tree or a chain.

/// Why a tree or a chain could not be built.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTree {
    /// A rod without elements.
    #[error(
        "rod `{rod}` has {found} elements: it needs at least {least} with its ends held as given"
    )]
    TooFewElements {
        /// The rod.
        rod: String,
        /// How many were asked for.
        found: usize,
        /// The smallest number that leaves something to move.
        least: usize,
    },
    /// A chain without links.
    #[error("a chain needs at least one link")]
    NoLinks,
    /// A tree in which nothing moves.
    #[error("nothing moves: add a rod or a body")]
    Empty,
    /// A number outside its range.
    #[error("{quantity} of `{item}` is {value}: expected {expected}")]
    OutOfRange {
        /// Rod, body or joint.
        item: String,
        /// Name of the number.
        quantity: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A list of the wrong length.
    #[error("{quantity} of `{item}` has {found} entries instead of {expected}")]
    WrongLength {
        /// Rod or body.
        item: String,
        /// Name of the list.
        quantity: &'static str,
        /// Its length.
        found: usize,
        /// The length it needs.
        expected: usize,
    },
    /// A group that a rod or a body of a tree cannot move on.
    #[error("`{item}` cannot move on {group}: expected S3sR3, SE3, S3xR3 or SO3xR3")]
    Group {
        /// Rod or body.
        item: String,
        /// The group given.
        group: crate::lie::GroupKind,
    },
    /// An inertia that no distribution of mass has.
    #[error(
        "no body has the principal inertias {}, {}, {} of `{item}`: the largest exceeds the sum of the \
         others; if they are meant, write `inertia_unchecked = ..` instead of `inertia = ..`",
        .moments[0], .moments[1], .moments[2]
    )]
    ImpossibleInertia {
        /// The body.
        item: String,
        /// Its principal inertias.
        moments: [f64; 3],
    },
    /// A load on what does not move.
    #[error("load `{item}` acts on `{node}`, which is clamped: it moves nothing")]
    LoadOnClamped {
        /// The load.
        item: String,
        /// The node.
        node: String,
    },
    /// A centre of mass away from the origin in a direct product.
    #[error("the centre of mass of `{item}` must be the origin of its frame on {group}")]
    CenterOffset {
        /// The body.
        item: String,
        /// Its group.
        group: crate::lie::GroupKind,
    },
    /// A place of another builder.
    #[error("`{item}` refers to a place that this builder did not make")]
    UnknownPlace {
        /// Joint or load.
        item: String,
    },
    /// A joint that closes a loop of bodies.
    #[error(
        "`{item}` closes a loop: a tree has none, use a description and the generic system, or a model \
         with arrays whose default counts have the loop too"
    )]
    Loop {
        /// Joint or rod.
        item: String,
    },
    /// A kind of joint that a tree does not have.
    #[error("joint `{item}` is {kind:?}: expected spherical, revolute, universal or fixed")]
    JointKind {
        /// The joint.
        item: String,
        /// Its kind.
        kind: crate::generic::description::JointKind,
    },
    /// An array with a negative length.
    #[error("`{item}` has the length {length}")]
    NegativeLength {
        /// The array.
        item: String,
        /// Its length.
        length: i64,
    },
    /// An index beyond an array.
    #[error("`{item}` refers to `{array}[{index}]`, but `{array}` has {length} elements")]
    NoSuchElement {
        /// Element, joint or load.
        item: String,
        /// The array.
        array: String,
        /// The index.
        index: i64,
        /// Length of the array.
        length: usize,
    },
    /// A node that no rod element gives a mass.
    #[error("node `{item}` belongs to no rod element: it has no mass")]
    NoElement {
        /// The node.
        item: String,
    },
    /// Links that are not joined one after another along their x axes.
    #[error("`{item}` is not a part of a plain chain")]
    NotAChain {
        /// Body or joint.
        item: String,
    },
    /// A start position or velocity that the joints of a chain do not allow.
    #[error("start {quantity} of `{item}` is off by {gap:.3e} from what the joints before it give")]
    ChainStart {
        /// The link.
        item: String,
        /// Position or velocity.
        quantity: &'static str,
        /// How far.
        gap: f64,
    },
    /// Something that cannot be written down as data.
    #[error("the profile of `{item}` is a function: a description needs a formula or points")]
    NotData {
        /// The load.
        item: String,
    },
    /// A number or a reference that the generic system does not accept.
    #[error(transparent)]
    Description(#[from] crate::generic::InvalidDescription),
    /// A joint or an element between two places that do not move.
    #[error("`{item}` holds nothing that moves")]
    HoldsNothing {
        /// Joint or element.
        item: String,
    },
    /// Start rotations of neighbouring nodes that are half a turn or more apart.
    #[error(
        "the start rotations at the ends of `{item}` are {angle:.3} rad apart: expected less than \
         half a turn; use more elements, or take a full turn off, which is the opposite sign of a \
         quaternion, if the short way is meant"
    )]
    StartTurn {
        /// The element.
        item: String,
        /// Angle between the rotations as they are given.
        angle: f64,
    },
}

/// Fails unless `valid`, with the value and what was expected.
pub(super) fn check(
    item: &str,
    quantity: &'static str,
    value: f64,
    expected: &'static str,
    valid: bool,
) -> Result<(), InvalidTree> {
    if valid && value.is_finite() {
        return Ok(());
    }
    Err(InvalidTree::OutOfRange {
        item: item.to_owned(),
        quantity,
        value,
        expected,
    })
}
