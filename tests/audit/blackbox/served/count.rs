// A program that stays: the number of records with Laplace noise of a scale, from the seed given.
//
// rustc -O count.rs && ./count SCALE
use std::io::{self, BufRead, Write};

// SplitMix64, which needs no crate.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e3779b97f4a7c15);
    let mut mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d049bb133111eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn step(state: &mut u64) -> f64 {
    -(1.0 - uniform(state)).ln()
}

fn field(line: &str, name: &str) -> u64 {
    let behind = line.rsplit(&format!("\"{name}\": ")).next().unwrap();
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

// Numbers of a flat list: one more than its commas.
fn records(line: &str) -> usize {
    let list = line.split('[').nth(1).unwrap().split(']').next().unwrap();
    if list.trim().is_empty() { 0 } else { list.split(',').count() }
}

fn main() -> io::Result<()> {
    let scale: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut state = field(&line, "seed");
        let outputs: Vec<String> = (0..field(&line, "size"))
            .map(|_| {
                let noise = step(&mut state) - step(&mut state);
                format!("{:?}", records(&line) as f64 + scale * noise)
            })
            .collect();
        writeln!(out, "[{}]", outputs.join(", "))?;
        out.flush()?;
    }
    Ok(())
}
