//! The options that several commands share, and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::generic::description::Description;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::lie::GroupKind;
use polhode::starting_values::StartingValues;
use polhode_models::machine::{Machine, Scheme, assembled};
use polhode_models::model::{Choice, Model, Path, Reference};
use polhode_models::registry::{self, MODELS};

use crate::failure::{Failure, nearest};
use crate::simulate::Plan;

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
    /// The model as data.
    pub(crate) description: Description,
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
        if self.variant.group.is_some() || !self.variant.param.is_empty() {
            let text = "--group and --param are for models by name; a file holds its own groups";
            return Err(Failure::Usage(text.to_owned()));
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("cannot read `{place}`: {error}")))?;
        let description = parse(&text)
            .map_err(|error| Failure::Usage(format!("`{place}` is not a description: {error}")))?;
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
            description,
            model: None,
            end: 1.0,
            step: 1e-3,
        })
    }
}

/// A description alone, or the object of `polhode describe --json` that holds one.
fn parse(text: &str) -> Result<Description, serde_json::Error> {
    let mut value: serde_json::Value = serde_json::from_str(text)?;
    match value.get_mut("description") {
        Some(inner) => serde_json::from_value(inner.take()),
        None => serde_json::from_str(text),
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
    /// A model of the registry with its group and parameters.
    pub(crate) fn of(model: &'static Model, variant: &Variant) -> Result<Self, Failure> {
        let mut choice = model.choice();
        if let Some(name) = &variant.group {
            choice.group = group(model, name)?;
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
            description: (model.describe)(&choice),
            end: model.end,
            step: model.step,
            model: Some((model, choice)),
        }
    }

    /// Exact values at a time, if they are known.
    pub(crate) fn exact(&self, t: f64) -> Option<Reference> {
        let (model, choice) = self.model.as_ref()?;
        model.exact(choice, t)
    }

    /// The machine of a path.
    pub(crate) fn machine(&self, path: Path) -> Result<Box<dyn Machine>, Failure> {
        if path == Path::Generic {
            return assembled(self.description.clone())
                .map_err(|error| Failure::Usage(format!("model `{}`: {error}", self.name)));
        }
        let model = self.model.as_ref();
        let machine = model.and_then(|(model, choice)| (model.machine)(path, choice));
        machine.ok_or_else(|| self.no_path(path))
    }

    /// The paths of this model in this group, the fastest first.
    pub(crate) fn paths(&self) -> Vec<Path> {
        let mut paths = vec![Path::Generic];
        if let Some((model, choice)) = &self.model {
            paths.extend((model.paths)(choice));
        }
        paths.sort();
        paths
    }

    fn no_path(&self, path: Path) -> Failure {
        let known: Vec<String> = self.paths().iter().map(ToString::to_string).collect();
        Failure::Usage(format!(
            "model `{}` in {} has no {path} path; it has {}",
            self.name,
            self.group,
            known.join(", ")
        ))
    }
}

/// How the equations are evaluated.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PathArgs {
    /// How the equations are evaluated; generated where there is such code, if not given.
    #[arg(long)]
    path: Option<PathName>,
}

/// Paths by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PathName {
    /// Code generated at compile time.
    Generated,
    /// Assembled at run time.
    Generic,
}

impl PathArgs {
    /// The path that is asked for, or the best one.
    pub(crate) fn of(&self, subject: &Subject) -> Result<Path, Failure> {
        let known = subject.paths();
        let path = match self.path {
            None if known.contains(&Path::Generated) => Path::Generated,
            None | Some(PathName::Generic) => Path::Generic,
            Some(PathName::Generated) => Path::Generated,
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
    match value.parse::<f64>() {
        Ok(value) if range.contains(&value) => {
            for (known, old) in &mut choice.values {
                if *known == name {
                    *old = value;
                }
            }
            Ok(())
        }
        _ => usage(format!(
            "--param {assignment}: {name} must be a number between {} and {}",
            parameter.min, parameter.max
        )),
    }
}

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum MethodName {
    /// Half-explicit, order 2.
    He2,
    /// Half-explicit, order 3.
    He3,
    /// Half-explicit, order 4.
    He4,
    /// Half-explicit, order 5, fixed or adaptive steps.
    He5,
    /// Generalized-alpha, index 3.
    Ga3,
    /// Generalized-alpha, index 2.
    Ga2,
    /// Generalized-alpha, stabilized index 2.
    Ga2s,
}

impl MethodName {
    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::He2 => "he2",
            Self::He3 => "he3",
            Self::He4 => "he4",
            Self::He5 => "he5",
            Self::Ga3 => "ga3",
            Self::Ga2 => "ga2",
            Self::Ga2s => "ga2s",
        }
    }

    /// The method with its default options.
    pub(crate) fn default_scheme(self) -> Scheme {
        let half_explicit = |method| Scheme::HalfExplicit(method, Multipliers::Raw);
        match self {
            Self::He2 => half_explicit(HalfExplicit::order2()),
            Self::He3 => half_explicit(HalfExplicit::order3()),
            Self::He4 => half_explicit(HalfExplicit::order4()),
            Self::He5 => half_explicit(HalfExplicit::order5()),
            Self::Ga3 => Scheme::GeneralizedAlpha(GeneralizedAlpha::index3()),
            Self::Ga2 => Scheme::GeneralizedAlpha(GeneralizedAlpha::index2()),
            Self::Ga2s => Scheme::GeneralizedAlpha(GeneralizedAlpha::stabilized_index2()),
        }
    }
}

/// Starting values by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StartName {
    Classical,
    Acceleration,
    Corrected,
}

/// Newton's method by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NewtonName {
    Full,
    Modified,
}

/// Multipliers by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MultiplierName {
    Raw,
    Recomputed,
}

/// The options of the methods.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MethodOptions {
    /// Spectral radius at infinity of generalized-alpha, 0.9 if not given.
    #[arg(long, allow_negative_numbers = true)]
    rho: Option<f64>,
    /// Position update of generalized-alpha: 0, 1, opt or a number; 0 if not given.
    #[arg(long, allow_hyphen_values = true)]
    sigma: Option<String>,
    /// Starting values of generalized-alpha, corrected if not given.
    #[arg(long)]
    start: Option<StartName>,
    /// Newton's method of generalized-alpha, full if not given.
    #[arg(long)]
    newton: Option<NewtonName>,
    /// Multipliers of half-explicit methods, raw if not given.
    #[arg(long)]
    multipliers: Option<MultiplierName>,
}

impl MethodOptions {
    /// A method with these options.
    pub(crate) fn scheme(&self, method: MethodName) -> Result<Scheme, Failure> {
        let misplaced = |option, family| {
            Err(Failure::Usage(format!(
                "{option} is an option of {family}, not of {}",
                method.name()
            )))
        };
        match method.default_scheme() {
            Scheme::HalfExplicit(scheme, default) => {
                let options = [
                    ("--rho", self.rho.is_some()),
                    ("--sigma", self.sigma.is_some()),
                    ("--start", self.start.is_some()),
                    ("--newton", self.newton.is_some()),
                ];
                if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
                    return misplaced(*option, "ga3, ga2 and ga2s");
                }
                let multipliers = match self.multipliers {
                    None => default,
                    Some(MultiplierName::Raw) => Multipliers::Raw,
                    Some(MultiplierName::Recomputed) => Multipliers::Recomputed,
                };
                Ok(Scheme::HalfExplicit(scheme, multipliers))
            }
            Scheme::GeneralizedAlpha(mut scheme) => {
                if self.multipliers.is_some() {
                    return misplaced("--multipliers", "he2, he3, he4 and he5");
                }
                scheme.rho = self.rho.unwrap_or(scheme.rho);
                if let Some(sigma) = &self.sigma {
                    scheme.sigma = parse_sigma(sigma)?;
                }
                if let Some(start) = self.start {
                    scheme.start = match start {
                        StartName::Classical => StartingValues::Classical,
                        StartName::Acceleration => StartingValues::Acceleration,
                        StartName::Corrected => StartingValues::Corrected,
                    };
                }
                if self.newton == Some(NewtonName::Modified) {
                    scheme = scheme.modified_newton();
                }
                Ok(Scheme::GeneralizedAlpha(scheme))
            }
        }
    }
}

fn parse_sigma(text: &str) -> Result<Sigma, Failure> {
    match text {
        "0" => Ok(Sigma::Geom1),
        "1" => Ok(Sigma::One),
        "opt" => Ok(Sigma::Optimal),
        number => number
            .parse()
            .map(Sigma::Value)
            .map_err(|_| Failure::Usage(format!("--sigma {text}: expected 0, 1, opt or a number"))),
    }
}

/// Method, steps and span of one run.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlanArgs {
    /// Method; he5 if not given.
    #[arg(long)]
    method: Option<MethodName>,
    /// Size of fixed steps; that of the model if not given.
    #[arg(long, allow_negative_numbers = true, value_name = "H", conflicts_with_all = ["rtol", "atol"])]
    step: Option<f64>,
    /// Relative tolerance of adaptive steps (he5).
    #[arg(long, allow_negative_numbers = true, value_name = "R")]
    rtol: Option<f64>,
    /// Absolute tolerance of adaptive steps (he5); R/100 if not given.
    #[arg(long, allow_negative_numbers = true, value_name = "A")]
    atol: Option<f64>,
    /// End of the run; that of the model if not given.
    #[arg(long, allow_negative_numbers = true, value_name = "T")]
    until: Option<f64>,
    #[command(flatten)]
    options: MethodOptions,
}

/// Absolute tolerance for a relative one, where none is given.
pub(crate) const ABSOLUTE_TO_RELATIVE: f64 = 1e-2;

impl PlanArgs {
    /// The run that is asked for.
    pub(crate) fn plan(&self, subject: &Subject) -> Result<Plan, Failure> {
        let method = self.method.unwrap_or(MethodName::He5);
        let mut scheme = self.options.scheme(method)?;
        let adaptive = self.rtol.is_some() || self.atol.is_some();
        if adaptive {
            let relative = self.rtol.unwrap_or(1e-8);
            let absolute = self.atol.unwrap_or(relative * ABSOLUTE_TO_RELATIVE);
            scheme = match scheme {
                Scheme::HalfExplicit(scheme, multipliers) if method == MethodName::He5 => {
                    Scheme::HalfExplicit(scheme.tolerances(absolute, relative), multipliers)
                }
                _ => {
                    return Err(Failure::Usage(format!(
                        "--rtol and --atol need an error estimate, which only he5 has; \
                         give {} a --step",
                        method.name()
                    )));
                }
            };
        }
        let until = self.until.unwrap_or(subject.end);
        if !(until > 0.0 && until.is_finite()) {
            let text = format!("--until {until}: it must be positive and finite");
            return Err(Failure::Usage(text));
        }
        Ok(Plan {
            scheme,
            method: method.name(),
            step: (!adaptive).then(|| self.step.unwrap_or(subject.step)),
            until,
            timed: true,
        })
    }
}
