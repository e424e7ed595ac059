//! Plots as SVG text: solved tasks over time (cactus), and one run against another (scatter). Times are on logarithmic axes.

use super::html::escape;

/// Times are measured in hundredths of a second: nothing is shown below.
const SHORTEST_S: f64 = 0.01;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const SIDE: f64 = 520.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 52.0;

/// Told apart without colour vision as well (Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// A logarithmic axis from the shortest time to a limit.
#[derive(Clone, Copy)]
struct Axis {
    to_s: f64,
    /// Where the shortest time and the limit are drawn.
    from: f64,
    to: f64,
}

impl Axis {
    fn place(self, seconds: f64) -> f64 {
        let seconds = seconds.clamp(SHORTEST_S, self.to_s);
        let share = (seconds / SHORTEST_S).ln() / (self.to_s / SHORTEST_S).ln();
        self.from + share * (self.to - self.from)
    }

    /// Powers of ten.
    fn ticks(self) -> Vec<f64> {
        (-2..9).map(|power| 10f64.powi(power)).filter(|tick| *tick <= self.to_s * 1.0001).collect()
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
    let axis = Axis { to_s: limit_s.max(2.0 * SHORTEST_S), from: HEIGHT - BOTTOM, to: TOP };
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

/// A task in both runs; a time only where it was solved.
pub(crate) struct Point {
    pub(crate) name: String,
    pub(crate) safe: bool,
    pub(crate) x_s: Option<f64>,
    pub(crate) y_s: Option<f64>,
}

/// Every task that one of two runs solved: below the diagonal the second one was faster.
pub(crate) fn scatter(x_name: &str, y_name: &str, points: &[Point], limit_s: f64) -> String {
    // Unsolved tasks stand on a line of their own, beyond the limit.
    let gap = 22.0;
    let to_s = limit_s.max(2.0 * SHORTEST_S);
    let x_axis = Axis { to_s, from: LEFT, to: SIDE - RIGHT - gap };
    let y_axis = Axis { to_s, from: SIDE - BOTTOM, to: TOP + gap };
    let mut svg = open(SIDE, SIDE, "Processor seconds of two runs");
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
    for point in points.iter().filter(|point| point.x_s.is_some() || point.y_s.is_some()) {
        let x = point.x_s.map_or(far_x, |time| x_axis.place(time));
        let y = point.y_s.map_or(far_y, |time| y_axis.place(time));
        let (colour, radius) = if point.safe { (COLOURS[0], 3) } else { (COLOURS[1], 3) };
        let time = |time: Option<f64>| time.map_or("not solved".to_owned(), |time| format!("{time:.2} s"));
        svg.push_str(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\"0.6\"><title>{}: {} / {}</title></circle>\n",
            escape(&point.name),
            time(point.x_s),
            time(point.y_s)
        ));
    }
    svg.push_str(&text(
        f64::midpoint(LEFT, SIDE - RIGHT),
        SIDE - 12.0,
        "middle",
        &format!("{x_name}, CPU seconds"),
    ));
    svg.push_str(&upright(14.0, f64::midpoint(TOP, SIDE - BOTTOM), &format!("{y_name}, CPU seconds")));
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

fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{title}</title>\n"
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
        let axis = Axis { to_s: 100.0, from: 0.0, to: 400.0 };
        assert_eq!(axis.ticks(), [0.01, 0.1, 1.0, 10.0, 100.0]);
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
        let point = |name: &str, x_s, y_s| Point { name: name.into(), safe: true, x_s, y_s };
        let points = [point("a<b", Some(1.0), None), point("c", None, Some(0.0)), point("d", None, None)];
        let svg = scatter("x", "y", &points, 15.0);
        assert!(svg.contains("<title>a&lt;b: 1.00 s / not solved</title>"), "{svg}");
        assert_eq!(svg.matches("fill-opacity").count(), 2, "{svg}");
        let svg = cactus(&[Series { name: "n".into(), times_s: vec![3.0, 0.5] }], 15.0);
        assert!(svg.contains("n (2)"), "{svg}");
        assert!(!cactus(&[], 0.0).contains("NaN"));
    }
}
