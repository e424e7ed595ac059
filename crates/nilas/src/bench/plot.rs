//! Plots as SVG text: solved tasks over time (cactus), and one run against another (scatter). Times and
//! counts are on logarithmic axes.
//!
//! Each plot carries its own style, so that it can stand in a page or be a file of its own.

use super::html::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const SIDE: f64 = 520.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 52.0;

/// Told apart without colour vision as well (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// What an axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    CpuSeconds,
    SolverCalls,
}

impl Quantity {
    pub(crate) const ALL: [Quantity; 2] = [Quantity::CpuSeconds, Quantity::SolverCalls];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Quantity::CpuSeconds => "CPU seconds",
            Quantity::SolverCalls => "solver calls",
        }
    }

    /// Nothing is shown below: times are measured in hundredths of a second, and no call is as good as one.
    pub(crate) fn least(self) -> f64 {
        match self {
            Quantity::CpuSeconds => 0.01,
            Quantity::SolverCalls => 1.0,
        }
    }

    fn told(self, value: f64) -> String {
        match self {
            Quantity::CpuSeconds => format!("{value:.2} s"),
            Quantity::SolverCalls => format!("{value:.0} calls"),
        }
    }

    /// An axis up to a value.
    fn axis(self, most: f64, from: f64, to: f64) -> Axis {
        let least = self.least();
        Axis { least, most: most.max(2.0 * least), from, to }
    }
}

/// A logarithmic axis.
#[derive(Clone, Copy)]
struct Axis {
    least: f64,
    most: f64,
    /// Where the least and the greatest value are drawn.
    from: f64,
    to: f64,
}

impl Axis {
    fn place(self, value: f64) -> f64 {
        let value = value.clamp(self.least, self.most);
        let share = (value / self.least).ln() / (self.most / self.least).ln();
        self.from + share * (self.to - self.from)
    }

    /// Powers of ten.
    fn ticks(self) -> Vec<f64> {
        let inside = |tick: &f64| *tick >= self.least * 0.9999 && *tick <= self.most * 1.0001;
        (-2..13).map(|power| 10f64.powi(power)).filter(inside).collect()
    }
}

/// What was solved by one checker.
pub(crate) struct Series {
    pub(crate) name: String,
    /// Processor seconds of each solved task, in any order.
    pub(crate) times_s: Vec<f64>,
}

/// How many tasks are solved when each gets so many seconds.
pub(crate) fn cactus(series: &[Series], limit_s: f64) -> String {
    let most = series.iter().map(|series| series.times_s.len()).max().unwrap_or(0).max(1);
    let axis = Quantity::CpuSeconds.axis(limit_s, HEIGHT - BOTTOM, TOP);
    let across = |count: usize| LEFT + (WIDTH - LEFT - RIGHT) * count as f64 / most as f64;
    let mut svg = open(WIDTH, HEIGHT, "Processor seconds over solved tasks");
    for tick in axis.ticks() {
        let y = axis.place(tick);
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\n",
            WIDTH - RIGHT
        ));
        svg.push_str(&text(LEFT - 6.0, y + 4.0, "end", &tick.to_string()));
    }
    let step = step(most);
    for count in (0..=most).step_by(step) {
        let x = across(count);
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\n",
            HEIGHT - BOTTOM
        ));
        svg.push_str(&text(x, HEIGHT - BOTTOM + 18.0, "middle", &count.to_string()));
    }
    svg.push_str(&text(f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 12.0, "middle", "solved tasks"));
    svg.push_str(&upright(14.0, f64::midpoint(TOP, HEIGHT - BOTTOM), "CPU seconds per task"));
    for (number, series) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let mut times = series.times_s.clone();
        times.sort_by(f64::total_cmp);
        let points: Vec<String> = times
            .iter()
            .enumerate()
            .map(|(place, time)| format!("{:.1},{:.1}", across(place + 1), axis.place(*time)))
            .collect();
        svg.push_str(&format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n",
            points.join(" ")
        ));
        // One point makes no line.
        for point in points.iter().filter(|_| times.len() <= 40) {
            let (x, y) = point.split_once(',').unwrap_or_default();
            svg.push_str(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"{colour}\"/>\n"));
        }
        let y = TOP + 16.0 + 18.0 * number as f64;
        svg.push_str(&format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"3\" fill=\"{colour}\"/>\n",
            LEFT + 10.0,
            y - 5.0
        ));
        let name = format!("{} ({})", series.name, times.len());
        svg.push_str(&text(LEFT + 28.0, y, "start", &name));
    }
    svg.push_str("</svg>\n");
    svg
}

/// A task in both runs; a value only where it was solved.
pub(crate) struct Point {
    pub(crate) name: String,
    pub(crate) safe: bool,
    pub(crate) x: Option<f64>,
    pub(crate) y: Option<f64>,
}

/// Every task that one of two runs solved: below the diagonal the second one took less. What a run did not
/// solve stands beyond `most`.
pub(crate) fn scatter(quantity: Quantity, x_name: &str, y_name: &str, points: &[Point], most: f64) -> String {
    // Unsolved tasks stand on a line of their own, beyond the limit.
    let gap = 22.0;
    let x_axis = quantity.axis(most, LEFT, SIDE - RIGHT - gap);
    let y_axis = quantity.axis(most, SIDE - BOTTOM, TOP + gap);
    let mut svg = open(SIDE, SIDE, &format!("{} of two runs", quantity.words()));
    for tick in x_axis.ticks() {
        let (x, y) = (x_axis.place(tick), y_axis.place(tick));
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\n",
            SIDE - BOTTOM
        ));
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\n",
            SIDE - RIGHT
        ));
        svg.push_str(&text(x, SIDE - BOTTOM + 18.0, "middle", &tick.to_string()));
        svg.push_str(&text(LEFT - 6.0, y + 4.0, "end", &tick.to_string()));
    }
    let (far_x, far_y) = (SIDE - RIGHT - gap / 2.0, TOP + gap / 2.0);
    for (class, x1, y1, x2, y2) in [
        ("diagonal", x_axis.from, y_axis.from, x_axis.to, y_axis.to),
        ("limit", x_axis.to, TOP, x_axis.to, SIDE - BOTTOM),
        ("limit", LEFT, y_axis.to, SIDE - RIGHT, y_axis.to),
    ] {
        svg.push_str(&format!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n"
        ));
    }
    for point in points.iter().filter(|point| point.x.is_some() || point.y.is_some()) {
        let x = point.x.map_or(far_x, |value| x_axis.place(value));
        let y = point.y.map_or(far_y, |value| y_axis.place(value));
        let colour = if point.safe { COLOURS[0] } else { COLOURS[1] };
        let told = |value: Option<f64>| value.map_or("not solved".to_owned(), |value| quantity.told(value));
        svg.push_str(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\" fill-opacity=\"0.6\"><title>{}: {} / {}</title></circle>\n",
            escape(&point.name),
            told(point.x),
            told(point.y)
        ));
    }
    let (x_name, y_name) =
        (format!("{x_name}, {}", quantity.words()), format!("{y_name}, {}", quantity.words()));
    svg.push_str(&text(f64::midpoint(LEFT, SIDE - RIGHT), SIDE - 12.0, "middle", &x_name));
    svg.push_str(&upright(14.0, f64::midpoint(TOP, SIDE - BOTTOM), &y_name));
    for (number, name) in ["safe", "unsafe"].into_iter().enumerate() {
        let y = TOP + gap + 18.0 + 18.0 * number as f64;
        svg.push_str(&format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"/>\n",
            LEFT + 14.0,
            y - 4.0,
            COLOURS[number]
        ));
        svg.push_str(&text(LEFT + 26.0, y, "start", name));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Scatter plots in rows of three, as one picture.
pub(crate) fn beside(plots: &[String]) -> String {
    const IN_A_ROW: usize = 3;
    let (columns, rows) = (plots.len().min(IN_A_ROW), plots.len().div_ceil(IN_A_ROW));
    let mut svg = open(SIDE * columns as f64, SIDE * rows as f64, "Runs against each other");
    for (number, plot) in plots.iter().enumerate() {
        let (x, y) = (SIDE * (number % IN_A_ROW) as f64, SIDE * (number / IN_A_ROW) as f64);
        svg.push_str(&plot.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1));
    }
    svg.push_str("</svg>\n");
    svg
}

const STYLE: &str = "svg text { font: 12px system-ui, sans-serif; fill: #333; } svg .grid { stroke: #e3e3e3; } \
                     svg .limit { stroke: #888; stroke-dasharray: 4 3; } svg .diagonal { stroke: #888; }";

fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    )
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n", escape(text))
}

fn upright(x: f64, y: f64, text: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>\n",
        escape(text)
    )
}

/// A round distance of at most ten ticks.
fn step(most: usize) -> usize {
    let mut step = 1;
    loop {
        for factor in [1, 2, 5] {
            if most / (step * factor) <= 10 {
                return step * factor;
            }
        }
        step *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axes_keep_the_order_and_stay_inside() {
        let axis = Quantity::CpuSeconds.axis(100.0, 0.0, 400.0);
        assert_eq!(axis.ticks(), [0.01, 0.1, 1.0, 10.0, 100.0]);
        assert_eq!(Quantity::SolverCalls.axis(2000.0, 0.0, 400.0).ticks(), [1.0, 10.0, 100.0, 1000.0]);
        for (seconds, place) in
            [(0.0, 0.0), (0.01, 0.0), (0.1, 100.0), (1.0, 200.0), (100.0, 400.0), (500.0, 400.0)]
        {
            assert!((axis.place(seconds) - place).abs() < 1e-6, "{seconds}: {}", axis.place(seconds));
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        for (most, expected) in [(1, 1), (10, 1), (11, 2), (25, 5), (80, 10), (568, 100), (100_000, 10_000)] {
            assert_eq!(step(most), expected, "{most}");
        }
    }

    #[test]
    fn every_solved_task_is_drawn() {
        let point = |name: &str, x, y| Point { name: name.into(), safe: true, x, y };
        let points = [point("a<b", Some(1.0), None), point("c", None, Some(0.0)), point("d", None, None)];
        let svg = scatter(Quantity::CpuSeconds, "x", "y", &points, 15.0);
        assert!(svg.contains("<title>a&lt;b: 1.00 s / not solved</title>"), "{svg}");
        assert_eq!(svg.matches("fill-opacity").count(), 2, "{svg}");
        let calls = scatter(Quantity::SolverCalls, "x", "y", &points, 15.0);
        assert!(calls.contains("<title>c: not solved / 0 calls</title>"), "{calls}");
        assert!(calls.contains(">x, solver calls</text>") && !calls.contains("NaN"), "{calls}");
        let both = beside(&[svg, calls]);
        assert_eq!((both.matches("<svg ").count(), both.matches("</svg>").count()), (3, 3), "{both}");
        assert!(both.contains("<svg x=\"520\" y=\"0\" xmlns"), "{both}");
        let svg = cactus(&[Series { name: "n".into(), times_s: vec![3.0, 0.5] }], 15.0);
        assert!(svg.contains("n (2)"), "{svg}");
        assert!(!cactus(&[], 0.0).contains("NaN"));
    }
}
