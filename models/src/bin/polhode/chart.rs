//! Line charts as SVG: linear or logarithmic axes, a legend, nothing else.

use core::fmt::Write as _;

use polhode::trajectory::csv_field;

use crate::text::escaped;

/// An axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    label: String,
    log: bool,
    /// Units as long as those of the other axis.
    equal: bool,
}

impl Axis {
    pub(crate) fn linear(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            log: false,
            equal: false,
        }
    }

    /// A length: its units are as long as those of the other axis.
    pub(crate) fn length(label: &str) -> Self {
        Self {
            equal: true,
            ..Self::linear(label)
        }
    }

    pub(crate) fn log(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            log: true,
            equal: false,
        }
    }
}

/// A curve.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    marked: bool,
    dashed: bool,
    /// Index of its colour, if not that of its place.
    colour: Option<usize>,
    /// Between light (0) and dark (1) instead of a colour of the palette.
    shade: Option<f64>,
}

impl Series {
    /// A line.
    pub(crate) fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self {
            name: name.to_owned(),
            points,
            marked: false,
            dashed: false,
            colour: None,
            shade: None,
        }
    }

    /// A line with a mark at every point.
    pub(crate) fn marked(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self {
            marked: true,
            ..Self::line(name, points)
        }
    }

    /// The same, dashed.
    pub(crate) fn dashed(self) -> Self {
        Self {
            dashed: true,
            ..self
        }
    }

    /// The same in a shade between light and dark: one of several of the same kind.
    pub(crate) fn shaded(self, index: usize, count: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
        let share = index as f64 / count.max(2).saturating_sub(1) as f64;
        Self {
            shade: Some(share),
            ..self
        }
    }

    /// The same in another colour of the palette.
    pub(crate) fn coloured(self, index: usize) -> Self {
        Self {
            colour: Some(index),
            ..self
        }
    }
}

/// A chart.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 84.0;
const TOP: f64 = 72.0;
const BOTTOM: f64 = 58.0;
/// Width of a character of the legend, a little more than it is in most fonts.
const CHARACTER: f64 = 6.9;
/// Colours that differ for the colour-blind too: Okabe and Ito, without yellow.
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444",
];
const STYLE: &str = "text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;\
font-size:12px;fill:#444}.title{font-size:17px;font-weight:600;fill:#111}.sub{fill:#666}\
.axis{fill:#222;font-size:13px}.grid{stroke:#e6e6e6}.frame{stroke:#888;fill:none}\
.curve{fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}";

/// The range of an axis and its place on the page.
struct Scale {
    log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    /// Numbers at the ticks are divided by ten to this power.
    exponent: i32,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let usable = values
            .filter(|x| x.is_finite() && (!axis.log || *x > 0.0))
            .map(|x| if axis.log { x.log10() } else { x });
        let (mut low, mut high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A constant, up to rounding, gets room around it.
        let size = low.abs().max(high.abs());
        let (narrow, room) = match (axis.log, size > 0.0) {
            (true, _) => (0.1, 0.15),
            (false, true) => (1e-9 * size, 0.1 * size),
            (false, false) => (1e-9, 1.0),
        };
        if high - low < narrow {
            (low, high) = (low - room, high + room);
        }
        let largest = low.abs().max(high.abs());
        let exponent = if axis.log || (1e-2..1e5).contains(&largest) || largest == 0.0 {
            0
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "at most 308")]
            let exponent = largest.log10().floor() as i32;
            exponent
        };
        Self {
            log: axis.log,
            low,
            high,
            from,
            to,
            exponent,
        }
    }

    /// Leaves some room at both ends.
    fn padded(mut self, share: f64) -> Self {
        let room = share * (self.high - self.low);
        self.low -= room;
        self.high += room;
        self
    }

    /// What a length on the page stands for.
    fn unit(&self) -> f64 {
        (self.high - self.low) / (self.to - self.from).abs()
    }

    /// Shows more on both sides, until a length on the page stands for this much.
    fn widen(&mut self, unit: f64) {
        let middle = 0.5 * (self.low + self.high);
        let half = 0.5 * unit * (self.to - self.from).abs();
        (self.low, self.high) = (middle - half, middle + half);
    }

    fn place(&self, x: f64) -> f64 {
        let x = if self.log { x.log10() } else { x };
        self.from + (x - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn shows(&self, x: f64) -> bool {
        x.is_finite() && (!self.log || x > 0.0)
    }

    /// Values and labels of the ticks.
    fn ticks(&self) -> Vec<(f64, String)> {
        if self.log {
            self.log_ticks()
        } else {
            self.linear_ticks()
        }
    }

    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let raw = (self.high - self.low) / 6.0;
        let decade = 10_f64.powf(raw.log10().floor());
        let factors = [1.0, 2.0, 2.5, 5.0, 10.0];
        let factor = factors.into_iter().find(|f| f * decade >= raw);
        let step = factor.unwrap_or(10.0) * decade;
        let unit = 10_f64.powi(self.exponent);
        // As many digits as a multiple of the step needs.
        let whole = |digits: &i32| {
            let scaled = step / unit * 10_f64.powi(*digits);
            (scaled - scaled.round()).abs() < 1e-6 * scaled && scaled > 0.5
        };
        let digits = (0..12).find(whole).map_or(12, i32::cast_unsigned) as usize;
        let mut ticks = Vec::new();
        let mut k = (self.low / step).ceil();
        while k * step <= self.high && ticks.len() < 20 {
            let x = k * step;
            ticks.push((
                x,
                format!("{:.digits$}", x / unit + 0.0).replace('-', "\u{2212}"),
            ));
            k += 1.0;
        }
        ticks
    }

    fn log_ticks(&self) -> Vec<(f64, String)> {
        let decades = self.high - self.low;
        let mantissas: &[f64] = if decades < 2.2 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let stride = if decades > 9.0 { 2 } else { 1 };
        #[expect(clippy::cast_possible_truncation, reason = "at most 308")]
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        let mut ticks = Vec::new();
        for power in (first..=last).filter(|power| power.rem_euclid(stride) == 0) {
            for &mantissa in mantissas {
                let x = mantissa * 10_f64.powi(power);
                if (self.low..=self.high).contains(&x.log10()) {
                    let ten = format!("10{}", superscript(power));
                    let times = if mantissa > 1.0 {
                        format!("{mantissa}\u{b7}{ten}")
                    } else {
                        ten
                    };
                    ticks.push((x, times));
                }
            }
        }
        ticks
    }
}

fn superscript(power: i32) -> String {
    let digit = |c| match c {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        c => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
    };
    power.to_string().chars().map(digit).collect()
}

impl Chart {
    /// All points, one in each line, behind the name of their curve.
    pub(crate) fn csv(&self) -> String {
        let [x, y] = [&self.x.label, &self.y.label].map(|label| csv_field(label));
        let mut csv = format!("curve,{x},{y}\n");
        for series in &self.series {
            let name = csv_field(&series.name);
            for (x, y) in &series.points {
                let _ = writeln!(csv, "{name},{x},{y}");
            }
        }
        csv
    }

    /// The picture. Writing to a string cannot fail, so results are ignored.
    pub(crate) fn svg(&self) -> String {
        let longest = self.series.iter().map(|s| s.name.chars().count()).max();
        #[expect(clippy::cast_precision_loss, reason = "length of a name")]
        let legend = match longest {
            Some(n) if self.series.len() > 1 => 44.0 + CHARACTER * n as f64,
            _ => 0.0,
        };
        let right = WIDTH - 24.0 - legend;
        let bottom = HEIGHT - BOTTOM;
        let all = || self.series.iter().flat_map(|series| &series.points);
        let pad = if self.x.log || self.x.equal {
            0.04
        } else {
            0.0
        };
        let mut x = Scale::new(&self.x, all().map(|p| p.0), LEFT, right).padded(pad);
        let mut y = Scale::new(&self.y, all().map(|p| p.1), bottom, TOP).padded(0.05);
        if self.x.equal && self.y.equal {
            let unit = x.unit().max(y.unit());
            x.widen(unit);
            y.widen(unit);
        }

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n<title>{0}</title>\n\
             <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"30\">{0}</text>\n\
             <text class=\"sub\" x=\"{LEFT}\" y=\"50\">{1}</text>\n",
            escaped(&self.title),
            escaped(&self.subtitle)
        );
        for (value, label) in x.ticks() {
            let at = x.place(value);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                bottom + 18.0
            );
        }
        for (value, label) in y.ticks() {
            let at = y.place(value);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 8.0,
                at + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"frame\" d=\"M{LEFT} {TOP}V{bottom}H{right:.1}\"/>\n\
             <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text class=\"axis\" transform=\"translate(22 {:.1}) rotate(-90)\" \
             text-anchor=\"middle\">{}</text>",
            0.5 * (LEFT + right),
            HEIGHT - 16.0,
            label(&self.x, &x),
            0.5 * (TOP + bottom),
            label(&self.y, &y),
        );
        for (i, series) in self.series.iter().enumerate() {
            let index = series.colour.unwrap_or(i) % COLOURS.len();
            series.draw(&mut svg, &x, &y, index);
            if self.series.len() == 1 {
                break;
            }
            #[expect(clippy::cast_precision_loss, reason = "a handful of curves")]
            let at = TOP + 12.0 + 22.0 * i as f64;
            series.draw_legend(&mut svg, right + 18.0, at, index);
        }
        svg + "</svg>\n"
    }
}

/// The label of an axis with the factor of its numbers.
fn label(axis: &Axis, scale: &Scale) -> String {
    let label = escaped(&axis.label);
    match scale.exponent {
        0 => label,
        power => format!("{label}  (\u{d7} 10{})", superscript(power)),
    }
}

impl Series {
    fn attributes(&self, index: usize) -> String {
        let colour = match self.shade {
            Some(share) => shade(share),
            None => COLOURS[index].to_owned(),
        };
        let dash = if self.dashed {
            " stroke-dasharray=\"6 5\""
        } else {
            ""
        };
        format!("class=\"curve\" stroke=\"{colour}\"{dash}")
    }

    fn draw(&self, svg: &mut String, x: &Scale, y: &Scale, index: usize) {
        let points: Vec<(f64, f64)> = self
            .points
            .iter()
            .filter(|p| x.shows(p.0) && y.shows(p.1))
            .map(|p| (x.place(p.0), y.place(p.1)))
            .collect();
        let mut path = String::new();
        for (i, (x, y)) in thinned(&points).iter().enumerate() {
            let _ = write!(path, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(svg, "<path {} d=\"{path}\"/>", self.attributes(index));
        if self.marked {
            for (x, y) in points {
                mark(svg, x, y, index);
            }
        }
    }

    fn draw_legend(&self, svg: &mut String, x: f64, y: f64, index: usize) {
        let _ = writeln!(
            svg,
            "<path {} d=\"M{x:.1} {y:.1}h22\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            self.attributes(index),
            x + 30.0,
            y + 4.0,
            escaped(&self.name)
        );
        if self.marked {
            mark(svg, x + 11.0, y, index);
        }
    }
}

/// A blue between light and dark, and at last the orange of what is now.
fn shade(share: f64) -> String {
    if share >= 1.0 {
        return COLOURS[1].to_owned();
    }
    let mix = |light: f64, dark: f64| light + (dark - light) * share;
    format!(
        "rgb({:.0},{:.0},{:.0})",
        mix(190.0, 0.0),
        mix(215.0, 70.0),
        mix(235.0, 130.0)
    )
}

/// A circle, square, diamond or triangle.
fn mark(svg: &mut String, x: f64, y: f64, index: usize) {
    let shape = match index % 4 {
        0 => "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
        1 => "m-3.3 -3.3h6.6v6.6h-6.6z",
        2 => "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
        _ => "m0 -4.4l4.3 7.6h-8.6z",
    };
    let _ = writeln!(
        svg,
        "<path d=\"M{x:.2} {y:.2}{shape}\" fill=\"{}\" stroke=\"#fff\"/>",
        COLOURS[index]
    );
}

/// Many points, reduced to those that can be seen: in each column of half a
/// pixel the first, the lowest, the highest and the last.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() < 1500 {
        return points.to_vec();
    }
    let mut kept = Vec::new();
    let column = |point: &(f64, f64)| (2.0 * point.0).floor();
    for column in points.chunk_by(|a, b| column(a).total_cmp(&column(b)).is_eq()) {
        let order = |&a: &usize, &b: &usize| column[a].1.total_cmp(&column[b].1);
        let all = 0..column.len();
        let lowest = all.clone().min_by(order).unwrap_or(0);
        let highest = all.max_by(order).unwrap_or(0);
        let mut indices = vec![0, lowest, highest, column.len() - 1];
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|i| column[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> Vec<String> {
        let scale = Scale::new(axis, values.iter().copied(), 0.0, 1.0);
        scale.ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let linear = Axis::linear("x");
        let expected = ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"];
        assert_eq!(labels(&linear, &[0.0, 1.0]), expected);
        assert_eq!(labels(&linear, &[0.0, 1500.0])[1], "250");
        assert_eq!(labels(&linear, &[-2e-9, 2e-9])[0], "\u{2212}2");
        assert_eq!(
            labels(&Axis::log("x"), &[1e-3, 1.0]),
            ["10⁻³", "10⁻²", "10⁻¹", "10⁰"]
        );
    }

    #[test]
    fn strange_numbers_do_not_break_a_chart() {
        let points = vec![(0.0, f64::NAN), (1.0, 0.0), (2.0, f64::INFINITY)];
        for y in [Axis::linear("y"), Axis::log("y")] {
            let chart = Chart {
                title: "<&>".to_owned(),
                subtitle: String::new(),
                x: Axis::linear("x"),
                y,
                series: vec![Series::line("a", points.clone()), Series::line("b", vec![])],
            };
            let svg = chart.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("&lt;&amp;&gt;"));
        }
    }
}
