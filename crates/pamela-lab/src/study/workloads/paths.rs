//! Shortest paths from one vertex of a dense graph, by Moore's algorithm: vertices whose distance became shorter wait in
//! a queue, and all edges of the first one are tried.

use std::collections::VecDeque;

use crate::study::random::Random;

/// Distances of edges, uniform from 0 to 10; one in ten edges is absent.
pub struct Graph {
    vertices: usize,
    edges: Vec<f64>,
}

impl Graph {
    pub fn random(random: &mut Random, vertices: usize) -> Graph {
        let edge = |_| {
            if random.share() < 0.1 {
                f64::INFINITY
            } else {
                10.0 * random.share()
            }
        };
        Graph {
            vertices,
            edges: (0..vertices * vertices).map(edge).collect(),
        }
    }

    /// Shortest distances from `source`, and the additions and comparisons of each worker. Vertices of the queue are
    /// assigned to `workers` cyclically.
    pub fn distances(&self, source: usize, workers: usize) -> (Vec<f64>, Vec<u64>) {
        let mut distance = vec![f64::INFINITY; self.vertices];
        let mut waits = vec![false; self.vertices];
        let mut operations = vec![0; workers];
        let mut queue = VecDeque::from([source]);
        distance[source] = 0.0;
        let mut turn = 0;
        while let Some(from) = queue.pop_front() {
            waits[from] = false;
            let edges = &self.edges[from * self.vertices..][..self.vertices];
            let mut tried = 0;
            for (to, edge) in edges.iter().enumerate() {
                if edge.is_infinite() {
                    continue;
                }
                tried += 2;
                if distance[from] + edge < distance[to] {
                    distance[to] = distance[from] + edge;
                    if !waits[to] {
                        waits[to] = true;
                        queue.push_back(to);
                    }
                }
            }
            operations[turn] += tried;
            turn = (turn + 1) % workers;
        }
        (distance, operations)
    }

    #[cfg(test)]
    pub fn edge(&self, from: usize, to: usize) -> f64 {
        self.edges[from * self.vertices + to]
    }
}
