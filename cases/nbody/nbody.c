/* Bodies that attract each other: forces of all on all, then a step of time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
    double x, y, z;
};

struct body {
    struct vector place, speed, force;
    double mass;
};

struct world {
    int count, steps;
    double dt;
    struct body *bodies;
};

static void attract(struct body *body, int count, const struct body *bodies)
{
    double fx = 0, fy = 0, fz = 0;
    for (const struct body *other = bodies; other < bodies + count; other++) {
        double x = other->place.x - body->place.x, y = other->place.y - body->place.y;
        double z = other->place.z - body->place.z, square = x * x + y * y + z * z + 1e-3;
        double pull = other->mass / (square * sqrt(square));
        fx += pull * x;
        fy += pull * y;
        fz += pull * z;
    }
    body->force.x = fx;
    body->force.y = fy;
    body->force.z = fz;
}

static void move(struct body *body, double dt)
{
    body->speed.x += dt * body->force.x;
    body->speed.y += dt * body->force.y;
    body->speed.z += dt * body->force.z;
    body->place.x += dt * body->speed.x;
    body->place.y += dt * body->speed.y;
    body->place.z += dt * body->speed.z;
}

static void simulate(struct world *world)
{
    for (int step = 0; step < world->steps; step++) {
#pragma omp parallel for
        for (int i = 0; i < world->count; i++)
            attract(&world->bodies[i], world->count, world->bodies);
        for (int i = 0; i < world->count; i++)
            move(&world->bodies[i], world->dt);
    }
}

int main(int argc, char **argv)
{
    struct world world = { atoi(argv[1]), atoi(argv[2]), 1e-3, 0 };
    world.bodies = calloc(world.count, sizeof *world.bodies);
    for (int i = 0; i < world.count; i++)
        world.bodies[i] = (struct body){ { i % 7, i % 11, i % 13 }, { 0, 0, 0 }, { 0, 0, 0 }, 1 + i % 3 };
    simulate(&world);
    printf("%.6g\n", world.bodies[0].place.x);
    return 0;
}
