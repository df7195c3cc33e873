//! Running processes: frames in an arena, linked to parents and children.

use smallvec::SmallVec;

use crate::model::Names;

/// No frame.
pub const NONE: u32 = u32::MAX;

/// Limit of simultaneous processes.
pub const MAX_FRAMES: usize = 1 << 20;

/// State of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Runs, or is ready to run.
    Ready,
    Delayed,
    /// It has reached a resource and is not in the queue yet.
    Requests(u32),
    Queues(u32),
    Served(u32),
    /// Number of branches that have not ended.
    Joins(u32),
    Free,
}

pub struct Frame<'m> {
    /// The current instruction.
    pub position: u32,
    pub parent: u32,
    first_child: u32,
    previous: u32,
    next: u32,
    pub state: State,
    /// The ticket under which it waits; another ticket belongs to a stopped frame.
    pub ticket: u64,
    /// Key of its random numbers; the next field counts its draws.
    pub stream: u64,
    pub draws: u64,
    /// Index of the branch.
    pub index: i64,
    pub slots: SmallVec<[i64; 2]>,
    /// Resources whose servers it holds, the latest last.
    pub held: Vec<u32>,
    /// Arguments of a called process.
    pub arguments: Option<Names<'m>>,
}

/// A stopped frame, with its wait and its resources.
pub struct Stopped {
    pub frame: u32,
    pub state: State,
    pub held: Vec<u32>,
}

/// All frames; ended ones are reused.
#[derive(Default)]
pub struct Frames<'m> {
    frames: Vec<Frame<'m>>,
    free: Vec<u32>,
}

impl<'m> Frames<'m> {
    /// Number of frames that can still be started.
    pub fn room(&self) -> u64 {
        (MAX_FRAMES - self.frames.len() + self.free.len()) as u64
    }

    /// Reserves space for `count` more frames.
    pub fn reserve(&mut self, count: usize) {
        self.frames.reserve(count.saturating_sub(self.free.len()));
    }

    /// Starts a frame at this instruction, if there is space.
    pub fn start(&mut self, position: u32, parent: u32, index: i64, stream: u64) -> Option<u32> {
        let next = match self.frames.get(parent as usize) {
            Some(parent) => parent.first_child,
            None => NONE,
        };
        let frame = Frame {
            position,
            parent,
            first_child: NONE,
            previous: NONE,
            next,
            state: State::Ready,
            ticket: 0,
            stream,
            draws: 0,
            index,
            slots: SmallVec::new(),
            held: Vec::new(),
            arguments: None,
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.frames[id as usize] = frame;
                id
            }
            None if self.frames.len() == MAX_FRAMES => return None,
            None => {
                self.frames.push(frame);
                self.frames.len() as u32 - 1
            }
        };
        if next != NONE {
            self.frames[next as usize].previous = id;
        }
        if parent != NONE {
            self.frames[parent as usize].first_child = id;
        }
        Some(id)
    }

    /// Ends a frame whose children have ended.
    pub fn end(&mut self, id: u32) {
        let Frame {
            parent,
            previous,
            next,
            ..
        } = self.frames[id as usize];
        if next != NONE {
            self.frames[next as usize].previous = previous;
        }
        if previous != NONE {
            self.frames[previous as usize].next = next;
        } else if parent != NONE {
            self.frames[parent as usize].first_child = next;
        }
        self.forget(id);
    }

    fn forget(&mut self, id: u32) {
        let frame = &mut self.frames[id as usize];
        frame.state = State::Free;
        frame.ticket = 0;
        frame.arguments = None;
        frame.slots = SmallVec::new();
        frame.held = Vec::new();
        self.free.push(id);
    }

    /// The frames that wait in queues, in order of arrival, with their resources.
    pub fn in_queues(&self) -> Vec<(u32, u32)> {
        let all = self.frames.iter().enumerate();
        let mut waiting: Vec<(u64, u32, u32)> = all
            .filter_map(|(id, frame)| match frame.state {
                State::Queues(resource) => Some((frame.ticket, id as u32, resource)),
                _ => None,
            })
            .collect();
        waiting.sort_unstable();
        waiting.into_iter().map(|(_, id, at)| (id, at)).collect()
    }

    /// The resources that a frame and its ancestors hold, innermost first.
    pub fn held_around(&self, mut id: u32) -> Vec<u32> {
        let mut held = Vec::new();
        while id != NONE {
            let frame = &self.frames[id as usize];
            held.extend(frame.held.iter().rev());
            id = frame.parent;
        }
        held
    }

    /// Stops all descendants of a frame and adds them to `ended`.
    pub fn stop_children(&mut self, id: u32, ended: &mut Vec<Stopped>) {
        let first = std::mem::replace(&mut self.frames[id as usize].first_child, NONE);
        if first == NONE {
            return;
        }
        let mut waiting = vec![first];
        while let Some(id) = waiting.pop() {
            if id == NONE {
                continue;
            }
            let frame = &mut self.frames[id as usize];
            waiting.extend([frame.next, frame.first_child]);
            ended.push(Stopped {
                frame: id,
                state: frame.state,
                held: std::mem::take(&mut frame.held),
            });
            self.forget(id);
        }
    }

    /// True if a frame still waits under this ticket.
    pub fn waits(&self, id: u32, ticket: u64) -> bool {
        self.frames[id as usize].ticket == ticket
    }
}

impl<'m> std::ops::Index<u32> for Frames<'m> {
    type Output = Frame<'m>;

    fn index(&self, id: u32) -> &Frame<'m> {
        &self.frames[id as usize]
    }
}

impl<'m> std::ops::IndexMut<u32> for Frames<'m> {
    fn index_mut(&mut self, id: u32) -> &mut Frame<'m> {
        &mut self.frames[id as usize]
    }
}
