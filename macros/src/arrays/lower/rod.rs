//! Rod elements: `#[rod(nodes[i], nodes[i + 1], length = .., ..)] edges: [RodElement; N]`.

use super::super::model::{Arrays, Connection, Element, Held, Rod};
use super::Part;
use crate::diag::At;
use crate::formula::{Formula, Formula3};
use crate::lower::reader::{Level, Reader};
use crate::syntax::{Items, Place, Setting};

const WORDS: [&str; 3] = ["kirchhoff", "inextensible", "stiffness_of_held_strains"];

const SETTINGS: [&str; 13] = [
    "length",
    "density",
    "inertia",
    "bending",
    "torsion",
    "shear",
    "extension",
    "damping",
    "damping_factor",
    "curvature",
    "kirchhoff",
    "inextensible",
    "stiffness_of_held_strains",
];

impl Reader<'_> {
    pub(super) fn rod(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        if let Some(rod) = self.rod_of(part, arrays) {
            arrays.connections.push(Connection::Rod(arrays.rods.len()));
            arrays.rods.push(rod);
        }
    }

    fn rod_of(&mut self, part: &Part<'_>, arrays: &Arrays) -> Option<Rod> {
        let name = &part.name;
        let Some(items) = self.items(part.field, "rod") else {
            self.dx.error(
                name.span(),
                format!("`{name}` connects nothing"),
                "write `#[rod(nodes[i], nodes[i + 1], length = .., ..)]` above it",
            );
            return None;
        };
        let errors = self.dx.len();
        self.only(&items, &SETTINGS);
        // A misspelt setting explains what is missing.
        if self.dx.len() > errors {
            return None;
        }
        let is_word =
            |place: &Place| place.index.is_none() && WORDS.iter().any(|word| place.name == word);
        let has = |word: &str| items.places.iter().any(|place| place.name == word);
        let places: Vec<&Place> = items
            .places
            .iter()
            .filter(|place| !is_word(place))
            .collect();
        let ends = self.rod_ends(part, &places, arrays);
        let held = self.held(&items);
        // Held strains need no stiffness unless it is asked for.
        let keeps = has("stiffness_of_held_strains");
        let optional = |holds: bool| (holds && !keeps).then_some(0.0);
        let (no_shear, no_extension) = (held != Held::Cosserat, held == Held::Inextensible);
        let length = self.rod_numbers(part, &items, "length", 1, None);
        let density = self.rod_numbers(part, &items, "density", 1, None);
        let inertia = self.rod_numbers(part, &items, "inertia", 3, None);
        let bending = self.rod_numbers(part, &items, "bending", 2, None);
        let torsion = self.rod_numbers(part, &items, "torsion", 1, None);
        let shear = self.rod_numbers(part, &items, "shear", 2, optional(no_shear));
        let extension = self.rod_numbers(part, &items, "extension", 1, optional(no_extension));
        let damping = self.rod_numbers(part, &items, "damping", 6, Some(0.0));
        let factor = self.rod_numbers(part, &items, "damping_factor", 1, Some(2.0));
        let curvature = self.rod_numbers(part, &items, "curvature", 3, Some(0.0));
        if self.dx.len() > errors {
            return None;
        }
        let one = |(list, at): (Vec<Formula>, At)| Some((list.into_iter().next()?, at));
        let three = |(list, at): (Vec<Formula>, At)| Some((Formula3::try_from(list).ok()?, at));
        let ((bending, b), (shear, s)) = (bending?, shear?);
        let [b1, b2]: [Formula; 2] = bending.try_into().ok()?;
        let [s1, s2]: [Formula; 2] = shear.try_into().ok()?;
        let (damping, damping_at) = damping?;
        Some(Rod {
            name: name.clone(),
            len: part.len.clone(),
            ends: ends?,
            length: one(length?)?,
            density: one(density?)?,
            inertia: three(inertia?)?,
            stiffness: [
                (b1, b),
                (b2, b),
                one(torsion?)?,
                (s1, s),
                (s2, s),
                one(extension?)?,
            ],
            damping: (damping.try_into().ok()?, damping_at),
            damping_factor: one(factor?)?,
            curvature: three(curvature?)?,
            held,
            stiffness_of_held_strains: keeps,
        })
    }

    /// Which strains are held; nothing beside it contradicts that or is without effect.
    fn held(&mut self, items: &Items) -> Held {
        let find = |word: &str| items.places.iter().find(|place| place.name == word);
        let (kirchhoff, inextensible) = (find("kirchhoff"), find("inextensible"));
        if let (Some(word), Some(_)) = (kirchhoff, inextensible) {
            self.dx.error(
                word.name.span(),
                "a rod is `kirchhoff` or `inextensible`, not both",
                "leave out `kirchhoff`: an `inextensible` rod has no shear either",
            );
        }
        let (held, word, strains): (_, _, &[&str]) = match (inextensible, kirchhoff) {
            (Some(_), _) => (Held::Inextensible, "inextensible", &["shear", "extension"]),
            (None, Some(_)) => (Held::Kirchhoff, "kirchhoff", &["shear"]),
            (None, None) => (Held::Cosserat, "", &[]),
        };
        let keeps = find("stiffness_of_held_strains");
        if let (Some(keeps), Held::Cosserat) = (keeps, held) {
            self.dx.error(
                keeps.name.span(),
                "no strains of this rod are held",
                "leave this out, or add the word `kirchhoff` or `inextensible`",
            );
        }
        let settings = items.settings.iter().filter(|_| keeps.is_none());
        for setting in settings.filter(|setting| strains.iter().any(|name| setting.name == name)) {
            self.dx.error(
                setting.name.span(),
                format!("`{word}` holds this strain, so its stiffness has no effect"),
                format!(
                    "leave out `{} = ..`, or add the word `stiffness_of_held_strains`",
                    setting.name
                ),
            );
        }
        held
    }

    /// `count` numbers, or one that stands for all of them.
    fn rod_numbers(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        word: &str,
        count: usize,
        default: Option<f64>,
    ) -> Option<(Vec<Formula>, At)> {
        let Some(setting) = items.settings.iter().find(|setting| setting.name == word) else {
            if let Some(default) = default {
                return Some((
                    vec![Formula::Number(default); count],
                    part.name.span().into(),
                ));
            }
            let help = match word {
                "length" => "add `length = ..`, the length of one element".to_owned(),
                "density" => "add `density = ..`, the mass per length".to_owned(),
                "inertia" => "add `inertia = [..]`, the rotational inertia per length about the three directors".to_owned(),
                "shear" => "add `shear = ..`, or hold it with the word `kirchhoff` or `inextensible`".to_owned(),
                "extension" => "add `extension = ..`, or hold it with the word `inextensible`".to_owned(),
                word => format!("add `{word} = ..`"),
            };
            let what = format!("rod `{}` has no {word}", part.name);
            self.dx.error(part.name.span(), what, help);
            return None;
        };
        let at = At::of(&setting.value);
        let list = self.one_or_list(setting, count)?;
        Some((list, at))
    }

    fn one_or_list(&mut self, setting: &Setting, count: usize) -> Option<Vec<Formula>> {
        if count > 1 && self.value(&setting.value)?.number().is_none() {
            return self.components(setting, count, Level::Constructed);
        }
        let number = self.number(setting, Level::Constructed)?;
        Some(vec![number; count])
    }

    fn rod_ends(
        &mut self,
        part: &Part<'_>,
        places: &[&Place],
        arrays: &Arrays,
    ) -> Option<[Element; 2]> {
        let [first, second] = places else {
            let at = places
                .get(2)
                .map_or(part.name.span(), |extra| extra.name.span());
            self.dx.error(
                at,
                format!("`{}` needs two nodes and has {}", part.name, places.len()),
                "name the nodes at both ends of an element: `nodes[i], nodes[i + 1]`",
            );
            return None;
        };
        let mut end = |place: &Place| {
            if let Some(point) = &place.point {
                self.dx.error(
                    At::of(point),
                    "an element ends at the origin of its node",
                    "leave out the point",
                );
                return None;
            }
            let element = self.array_place(place, part, arrays)?;
            let node = element.filter(|element| arrays.members[element.member].node);
            if node.is_none() {
                self.dx.error(
                    place.name.span(),
                    format!("a rod element ends at nodes, and `{}` is none", place.name),
                    "join a node to it with a `Fixed` joint",
                );
            }
            node
        };
        let (first, second) = (end(first), end(second));
        Some([first?, second?])
    }
}
