"""SimPy as a peer of `cargo bench --bench peers`: seconds and time of the machine repair model, on one line.

simpy_peer.py CLIENTS ITERATIONS LAW, where LAW is `constant` or `exponential`.
"""

import random
import sys
import time

import simpy

clients, iterations, law = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
drawn = {"constant": lambda mean: mean, "exponential": lambda mean: random.expovariate(1 / mean)}[law]


def client(environment, server):
    for _ in range(iterations):
        yield environment.timeout(drawn(10))
        with server.request() as request:
            yield request
            yield environment.timeout(drawn(0.1))


environment = simpy.Environment()
server = simpy.Resource(environment, capacity=1)
for _ in range(clients):
    environment.process(client(environment, server))
start = time.process_time()
environment.run()
print(time.process_time() - start, environment.now)
