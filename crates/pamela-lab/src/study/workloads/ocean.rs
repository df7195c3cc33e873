//! Wa-Tor: fish and sharks in an ocean without shores move at random, breed, and eat or starve.

use crate::study::random::Random;

/// Rows of the ocean, and columns in the strip of each processor: 2,500 positions.
pub const HEIGHT: usize = 100;
pub const WIDTH: usize = 25;

/// Shares of places with a fish and with a shark at the start. The thesis has 1,000 fish on 2,500 places, and says
/// nothing of sharks, nor of the ages below.
const FISH: f64 = 0.4;
const SHARKS: f64 = 0.2;
/// Steps until one breeds, and until a shark that has not eaten dies.
const FISH_BREED: u8 = 3;
const SHARK_BREED: u8 = 10;
const STARVE: u8 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Water,
    Fish,
    Shark,
}

#[derive(Clone, Copy)]
struct Place {
    kind: Kind,
    age: u8,
    hunger: u8,
    /// True if it has had its turn, by the parity of the step.
    parity: bool,
}

const WATER: Place = Place {
    kind: Kind::Water,
    age: 0,
    hunger: 0,
    parity: false,
};

/// Column after column.
pub struct Ocean {
    places: Vec<Place>,
    parity: bool,
}

impl Ocean {
    pub fn random(random: &mut Random, strips: usize) -> Ocean {
        let place = |_| {
            let share = random.share();
            let kind = match share {
                share if share < FISH => Kind::Fish,
                share if share < FISH + SHARKS => Kind::Shark,
                _ => Kind::Water,
            };
            let breed = if kind == Kind::Shark {
                SHARK_BREED
            } else {
                FISH_BREED
            };
            Place {
                kind,
                age: random.below(usize::from(breed)) as u8,
                ..WATER
            }
        };
        Ocean {
            places: (0..strips * WIDTH * HEIGHT).map(place).collect(),
            parity: false,
        }
    }

    /// Number of fish in each strip.
    pub fn fish(&self) -> Vec<f64> {
        let strip = |places: &[Place]| {
            places
                .iter()
                .filter(|place| place.kind == Kind::Fish)
                .count() as f64
        };
        self.places.chunks(WIDTH * HEIGHT).map(strip).collect()
    }

    /// Positions of the fish and of the sharks.
    pub fn positions(&self) -> [Vec<(f64, f64)>; 2] {
        [Kind::Fish, Kind::Shark].map(|kind| {
            let all = self.places.iter().enumerate();
            let of_kind = all.filter(|(_, place)| place.kind == kind);
            of_kind
                .map(|(at, _)| ((at / HEIGHT) as f64, (at % HEIGHT) as f64))
                .collect()
        })
    }

    /// Advances each animal by one step.
    pub fn step(&mut self, random: &mut Random) {
        self.parity = !self.parity;
        for at in 0..self.places.len() {
            let place = self.places[at];
            if place.kind != Kind::Water && place.parity != self.parity {
                self.turn(random, at, place);
            }
        }
    }

    fn turn(&mut self, random: &mut Random, at: usize, mut animal: Place) {
        animal.parity = self.parity;
        animal.age = animal.age.saturating_add(1);
        let (breed, prey) = match animal.kind {
            Kind::Shark => (SHARK_BREED, self.neighbour(random, at, Kind::Fish)),
            _ => (FISH_BREED, None),
        };
        if animal.kind == Kind::Shark {
            animal.hunger = if prey.is_some() { 0 } else { animal.hunger + 1 };
            if animal.hunger >= STARVE {
                self.places[at] = WATER;
                return;
            }
        }
        let Some(next) = prey.or_else(|| self.neighbour(random, at, Kind::Water)) else {
            self.places[at] = animal;
            return;
        };
        self.places[at] = WATER;
        if animal.age >= breed {
            animal.age = 0;
            self.places[at] = Place {
                hunger: 0,
                ..animal
            };
        }
        self.places[next] = animal;
    }

    fn neighbours(&self, at: usize) -> [usize; 4] {
        let (all, row) = (self.places.len(), at % HEIGHT);
        let column = at - row;
        let beyond = |at: usize| if at >= all { at - all } else { at };
        [
            column + if row + 1 == HEIGHT { 0 } else { row + 1 },
            column + if row == 0 { HEIGHT - 1 } else { row - 1 },
            beyond(at + HEIGHT),
            beyond(at + all - HEIGHT),
        ]
    }

    /// One of the four neighbours of this kind, each as likely as the others.
    fn neighbour(&self, random: &mut Random, at: usize, kind: Kind) -> Option<usize> {
        let neighbours = self.neighbours(at);
        let found = neighbours.map(|place| self.places[place].kind == kind);
        let count = found.iter().filter(|found| **found).count();
        if count == 0 {
            return None;
        }
        let chosen = random.below(count);
        let mut fitting = neighbours
            .into_iter()
            .zip(found)
            .filter(|(_, found)| *found);
        fitting.nth(chosen).map(|(place, _)| place)
    }

    /// The mean fraction of fish among the neighbours of a fish.
    pub fn schools(&self) -> f64 {
        let fish = |at: usize| self.places[at].kind == Kind::Fish;
        let (mut fishes, mut beside) = (0, 0);
        for at in (0..self.places.len()).filter(|at| fish(*at)) {
            fishes += 1;
            beside += self
                .neighbours(at)
                .into_iter()
                .filter(|place| fish(*place))
                .count();
        }
        beside as f64 / (4.0 * f64::from(fishes.max(1)))
    }
}
