//! The joints that hold points and axes, a line each: all that the macro knows about them.
//!
//! Names, settings, constraints, coordinates and what may replace a joint follow from its line. The
//! runtime has the same table (`generic/joint`), and tests of generated code compare the two.

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// What a joint is given besides its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Nothing: it holds a point.
    Nothing,
    /// The z axis of its frames.
    Axis,
    /// The same, but any axis will do.
    AnyAxis,
    /// An axis of each body.
    Cross,
}

/// What a joint holds, in terms of the axes of its frames.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// Name of the type, in a model and in the runtime.
    pub(crate) name: &'static str,
    pub(crate) given: Given,
    /// Positions, measured along axes of the second frame.
    pub(crate) positions: &'static [usize],
    /// Pairs (axis of the first, axis of the second) that stay normal to each other.
    pub(crate) normals: &'static [(usize, usize)],
}

/// All of them; one more is one more line.
pub(crate) static JOINTS: [Held; 8] = [
    held("Spherical", Given::Nothing, &[X, Y, Z], &[]),
    held("Revolute", Given::Axis, &[X, Y, Z], &[(X, Z), (Y, Z)]),
    held("Cylindrical", Given::Axis, &[X, Y], &[(X, Z), (Y, Z)]),
    held("Prismatic", Given::Axis, &[X, Y], &[(X, Z), (Y, Z), (X, Y)]),
    held("Universal", Given::Cross, &[X, Y, Z], &[(X, Y)]),
    held("Planar", Given::Axis, &[Z], &[(X, Z), (Y, Z)]),
    held(
        "Fixed",
        Given::AnyAxis,
        &[X, Y, Z],
        &[(X, Z), (Y, Z), (X, Y)],
    ),
    held("PointOnLine", Given::Axis, &[X, Y], &[]),
];

const fn held(
    name: &'static str,
    given: Given,
    positions: &'static [usize],
    normals: &'static [(usize, usize)],
) -> Held {
    Held {
        name,
        given,
        positions,
        normals,
    }
}

impl Held {
    /// The joint of a name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        JOINTS.iter().find(|joint| joint.name == name)
    }

    /// Whether all three positions are held.
    pub(crate) fn holds_point(&self) -> bool {
        self.positions.len() == 3
    }

    /// Whether no relative rotation is left.
    pub(crate) fn holds_rotation(&self) -> bool {
        self.normals.len() == 3
    }

    /// Whether the z axes are held on one line.
    fn has_line(&self) -> bool {
        let positions = [X, Y].iter().all(|axis| self.positions.contains(axis));
        let axes = [(X, Z), (Y, Z)];
        positions && axes.iter().all(|pair| self.normals.contains(pair))
    }

    /// Whether the joint has an angle about z as a coordinate.
    pub(crate) fn has_angle(&self) -> bool {
        self.has_line() && !self.holds_rotation()
    }

    /// Whether the joint has a displacement along z as a coordinate.
    pub(crate) fn has_displacement(&self) -> bool {
        self.has_line() && !self.holds_point()
    }

    /// What the joint may be given.
    pub(crate) fn settings(&self) -> Vec<&'static str> {
        let mut settings = vec!["at"];
        match self.given {
            Given::Nothing => {}
            Given::Axis | Given::AnyAxis => settings.push("axis"),
            Given::Cross => settings.push("cross"),
        }
        if self.has_angle() {
            settings.push("angle");
        }
        settings
    }

    /// Joints that hold less of the same, from those that hold most. A cross has axes of its own.
    pub(crate) fn looser(&self) -> Vec<&'static Self> {
        let rows = |joint: &Self| joint.positions.len() + joint.normals.len();
        let mut looser: Vec<_> = JOINTS
            .iter()
            .filter(|joint| joint.given != Given::Cross && rows(joint) < rows(self))
            .filter(|joint| joint.positions.iter().all(|x| self.positions.contains(x)))
            .filter(|joint| joint.normals.iter().all(|x| self.normals.contains(x)))
            .collect();
        looser.sort_by_key(|joint| core::cmp::Reverse(rows(joint)));
        looser
    }
}

/// Names of the joints that have a coordinate, for errors: "`A` and `B`".
pub(crate) fn names_with(coordinate: fn(&Held) -> bool) -> String {
    let names = JOINTS.iter().filter(|joint| coordinate(joint));
    let names: Vec<String> = names.map(|joint| format!("`{}`", joint.name)).collect();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(joints: &[&Held]) -> Vec<&'static str> {
        joints.iter().map(|joint| joint.name).collect()
    }

    #[test]
    fn coordinates_are_what_is_left_free_along_the_line_of_the_axes() {
        assert_eq!(names_with(Held::has_angle), "`Revolute` and `Cylindrical`");
        let sliding = names_with(Held::has_displacement);
        assert_eq!(sliding, "`Cylindrical` and `Prismatic`");
    }

    #[test]
    fn every_joint_leaves_six_minus_its_rows() {
        let free = [3, 1, 2, 1, 2, 3, 0, 4];
        for (joint, free) in JOINTS.iter().zip(free) {
            let rows = joint.positions.len() + joint.normals.len();
            assert_eq!(6 - rows, free, "{}", joint.name);
        }
    }

    #[test]
    fn a_looser_joint_holds_nothing_else() {
        let looser = |name| names(&Held::named(name).unwrap().looser());
        let all = [
            "Revolute",
            "Prismatic",
            "Cylindrical",
            "Spherical",
            "Planar",
            "PointOnLine",
        ];
        assert_eq!(looser("Fixed"), all);
        assert_eq!(looser("Prismatic"), ["Cylindrical", "PointOnLine"]);
        assert_eq!(looser("Universal"), ["Spherical", "PointOnLine"]);
        assert!(looser("Planar").is_empty());
    }

    #[test]
    fn settings_are_those_of_the_frames_and_the_angle() {
        let settings = |name| Held::named(name).unwrap().settings();
        assert_eq!(settings("Spherical"), ["at"]);
        assert_eq!(settings("Revolute"), ["at", "axis", "angle"]);
        assert_eq!(settings("Fixed"), ["at", "axis"]);
        assert_eq!(settings("Universal"), ["at", "cross"]);
    }
}
