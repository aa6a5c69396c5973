//! The model that was chosen, with everything that was chosen about it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use polhode::generic::InvalidDescription;
use polhode::generic::description::{Description, Redundancy};
use polhode::lie::GroupKind;
use polhode_models::machine::{Machine, assembled};
use polhode_models::model::{Choice, Known, Model, Path};
use polhode_models::registry::{self, MODELS};
use polhode_models::scene::Scene;

use crate::failure::{Failure, nearest};
use crate::text::visible;

/// Which model.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArgs {
    /// Name of a model, see `polhode list`.
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    model: Option<String>,
    /// Description of a model in JSON, as `polhode describe --json` prints it.
    #[arg(long, value_name = "FILE.json")]
    file: Option<PathBuf>,
    #[command(flatten)]
    variant: Variant,
}

/// Which variant of a model.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Variant {
    /// Group of the bodies: `SO3xR3`, `SE3`, `S3xR3`, `S3sR3`, `SO3`, `S3`, R2.
    #[arg(long)]
    group: Option<String>,
    /// Number of links or elements of a model that has any number of them.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    n: Option<String>,
    /// Value of a parameter of the model; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    param: Vec<String>,
}

/// A model that was chosen, with everything that was chosen about it.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Name of the model.
    pub(crate) name: String,
    /// Names of the groups of its bodies, each once.
    pub(crate) group: String,
    /// What it looks like.
    pub(crate) scene: Scene,
    /// The model as data, if it can be written so.
    pub(crate) description: Option<Description>,
    /// The line of the registry, if it comes from there.
    pub(crate) model: Option<(&'static Model, Choice)>,
    /// Default end of a run.
    pub(crate) end: f64,
    /// Default step size.
    pub(crate) step: f64,
}

impl ModelArgs {
    /// Finds the model or reads its description.
    pub(crate) fn subject(&self) -> Result<Subject, Failure> {
        match (&self.model, &self.file) {
            (Some(name), _) => Subject::of(find(name)?, &self.variant),
            (None, Some(file)) => self.read(file),
            (None, None) => Err(Failure::Usage("a model or a file is needed".to_owned())),
        }
    }

    fn read(&self, file: &PathBuf) -> Result<Subject, Failure> {
        let place = file.to_string_lossy();
        let Variant { group, n, param } = &self.variant;
        if group.is_some() || n.is_some() || !param.is_empty() {
            let text = "--group, --n and --param are for models by name; a file holds its own";
            return Err(Failure::Usage(text.to_owned()));
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("cannot read `{place}`: {error}")))?;
        let description = parse(&text)
            .and_then(|description| with_visible_names(&description))
            .map_err(|error| Failure::Usage(format!("`{place}` is {error}")))?;
        let mut groups: Vec<String> = Vec::new();
        for body in &description.bodies {
            let group = body.group.to_string();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        Ok(Subject {
            name: description.name.clone(),
            group: groups.join(","),
            scene: Scene::of(&description),
            description: Some(description),
            model: None,
            end: 1.0,
            step: 1e-3,
        })
    }
}

/// A description alone, or the object of `polhode describe --json` that holds one. The runtime reads
/// it: code that reads all kinds of parts would be compiled here again.
fn parse(text: &str) -> Result<Description, InvalidDescription> {
    let object = serde_json::from_str::<serde_json::Value>(text).ok();
    match object.as_ref().and_then(|object| object.get("description")) {
        Some(inner) => Description::from_json(&inner.to_string()),
        None => Description::from_json(text),
    }
}

/// The same with names that can be shown. Formulas are structures, so all text in a description is a
/// name or a keyword.
fn with_visible_names(description: &Description) -> Result<Description, InvalidDescription> {
    let mut all = serde_json::json!(description);
    show_names(&mut all);
    Description::from_json(&all.to_string())
}

fn show_names(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => *text = visible(text),
        serde_json::Value::Array(items) => items.iter_mut().for_each(show_names),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(show_names),
        _ => {}
    }
}

/// The model of this name.
pub(crate) fn find(name: &str) -> Result<&'static Model, Failure> {
    registry::find(name).ok_or_else(|| {
        let names = || MODELS.iter().map(|model| model.name);
        let advice = match nearest(name, names()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("the models are {}", names().collect::<Vec<_>>().join(", ")),
        };
        Failure::Usage(format!("unknown model `{name}`; {advice}"))
    })
}

impl Subject {
    /// Whether constraints may be redundant; they may if there is no description.
    pub(crate) fn redundancy(&self) -> Redundancy {
        let description = self.description.as_ref();
        description.map_or(Redundancy::Allow, |description| description.redundant)
    }

    /// A model of the registry with its group and parameters.
    pub(crate) fn of(model: &'static Model, variant: &Variant) -> Result<Self, Failure> {
        let mut choice = model.choice();
        if let Some(name) = &variant.group {
            choice.group = group(model, name)?;
        }
        if let Some(n) = &variant.n {
            choice.n = number_of_elements(model, n)?;
        }
        for assignment in &variant.param {
            set_parameter(model, &mut choice, assignment)?;
        }
        Ok(Self::chosen(model, choice))
    }

    /// A model of the registry.
    pub(crate) fn chosen(model: &'static Model, choice: Choice) -> Self {
        Self {
            name: model.name.to_owned(),
            group: choice.group.to_string(),
            scene: model.scene(&choice),
            description: model.description(&choice),
            end: model.end,
            step: model.step,
            model: Some((model, choice)),
        }
    }

    /// What is known exactly at a time.
    pub(crate) fn known(&self, t: f64) -> Option<Known> {
        let (model, choice) = self.model.as_ref()?;
        model.known(choice, t)
    }

    /// The machine of a path.
    pub(crate) fn machine(&self, path: Path) -> Result<Box<dyn Machine>, Failure> {
        let machine = match (path, &self.description, &self.model) {
            (Path::Generic, Some(description), _) => {
                let assembled = assembled(description.clone());
                let invalid = |error| Failure::Usage(format!("model `{}`: {error}", self.name));
                Some(assembled.map_err(invalid)?)
            }
            (_, _, Some((model, choice))) => (model.machine)(path, choice),
            _ => None,
        };
        machine.ok_or_else(|| self.no_path(path))
    }

    /// The paths of this model in this group, the fastest first.
    pub(crate) fn paths(&self) -> &'static [Path] {
        match &self.model {
            Some((model, choice)) => (model.paths)(choice),
            None => &[Path::Generic],
        }
    }

    /// Times at which steps should end.
    pub(crate) fn kinks(&self) -> &'static [f64] {
        self.model.as_ref().map_or(&[], |(model, _)| model.kinks)
    }

    fn no_path(&self, path: Path) -> Failure {
        let known: Vec<String> = self.paths().iter().map(ToString::to_string).collect();
        let size = match &self.model {
            Some((_, choice)) if choice.n > 0 => format!(" with n = {}", choice.n),
            _ => String::new(),
        };
        Failure::Usage(format!(
            "model `{}` in {}{size} has no {path} path; it has {}",
            self.name,
            self.group,
            known.join(", ")
        ))
    }
}

/// How the equations are evaluated.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PathArgs {
    /// How the equations are evaluated; the fastest way that there is, if not given.
    #[arg(long)]
    path: Option<PathName>,
}

/// Paths by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PathName {
    /// Code generated at compile time.
    Generated,
    /// Written by hand: the chains and trees of the library.
    Hand,
    /// Assembled at run time.
    Generic,
}

impl PathArgs {
    /// The path that is asked for, or the best one.
    pub(crate) fn of(&self, subject: &Subject) -> Result<Path, Failure> {
        let known = subject.paths();
        let path = match self.path {
            None => known[0],
            Some(PathName::Generated) => Path::Generated,
            Some(PathName::Hand) => Path::Hand,
            Some(PathName::Generic) => Path::Generic,
        };
        if known.contains(&path) {
            Ok(path)
        } else {
            Err(subject.no_path(path))
        }
    }
}

fn group(model: &Model, name: &str) -> Result<GroupKind, Failure> {
    let found = name.parse().ok().filter(|kind| model.groups.contains(kind));
    found.ok_or_else(|| {
        let known: Vec<String> = model.groups.iter().map(ToString::to_string).collect();
        Failure::Usage(format!(
            "model `{}` does not support the group `{name}`; it supports {}",
            model.name,
            known.join(", ")
        ))
    })
}

/// Most elements: a state of so many takes a gigabyte.
const MOST_ELEMENTS: usize = 2_000_000;

/// What `--n` says.
pub(crate) fn number_of_elements(model: &Model, text: &str) -> Result<usize, Failure> {
    let Some(size) = model.size else {
        let name = model.name;
        return Err(Failure::Usage(format!("model `{name}` has no --n")));
    };
    match text.parse() {
        Ok(n) if (1..=MOST_ELEMENTS).contains(&n) => Ok(n),
        _ => Err(Failure::Usage(format!(
            "--n {text}: the number of {} must be a whole number between 1 and {MOST_ELEMENTS}",
            size.of
        ))),
    }
}

fn set_parameter(model: &Model, choice: &mut Choice, assignment: &str) -> Result<(), Failure> {
    let usage = |text: String| Err(Failure::Usage(text));
    let Some((name, value)) = assignment.split_once('=') else {
        return usage(format!("--param {assignment}: expected NAME=VALUE"));
    };
    let Some(parameter) = model.parameters.iter().find(|known| known.name == name) else {
        let known: Vec<&str> = model.parameters.iter().map(|known| known.name).collect();
        return usage(match known.as_slice() {
            [] => format!("model `{}` has no parameters", model.name),
            _ => format!(
                "model `{}` has no parameter `{name}`; it has {}",
                model.name,
                known.join(", ")
            ),
        });
    };
    let range = parameter.min..=parameter.max;
    let allowed = |value: f64| parameter.only.is_empty() || parameter.only.contains(&value);
    match value.parse::<f64>() {
        Ok(value) if range.contains(&value) && allowed(value) => {
            for (known, old) in &mut choice.values {
                if *known == name {
                    *old = value;
                }
            }
            Ok(())
        }
        _ if parameter.only.is_empty() => usage(format!(
            "--param {assignment}: {name} must be a number between {} and {}",
            parameter.min, parameter.max
        )),
        _ => {
            let only: Vec<String> = parameter.only.iter().map(ToString::to_string).collect();
            let only = only.join(", ");
            usage(format!(
                "--param {assignment}: {name} must be one of {only}"
            ))
        }
    }
}
