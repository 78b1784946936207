import type { MutexDescriptor } from "../descriptor.ts";
import { heapDiameter, heapDistance } from "../heap-tree.ts";
import { ascending } from "../sums.ts";

export const raymond: MutexDescriptor = {
  name: "raymond",
  kind: "mutual exclusion",
  title: "Raymond (tree)",
  source: "Raymond 1989",
  messages: "at most 2D an entry in a tree of diameter D, O(log N)",
  order: "as the queues along the tree have it",
  breaks: "a dead station on the way to the token: those behind it wait for the TOKEN",
  scenario: "ringlab mutex --algorithm raymond --stations 5 --request 3,4 --down 1",
  stops: /station 1 is dead and station 3 waits for its TOKEN/,
  theory: ({ ids, contenders }) => ({
    least: 0,
    most: 2 * heapDiameter(ids.length) * contenders.length,
    formula: "at most 2 times the diameter of the tree an entry",
  }),
  cases(ids) {
    const members = ascending(ids);
    const far = (id: number) => heapDistance(members.indexOf(id), members.length - 1);
    const farthest = members.reduce((a, b) => (far(b) > far(a) ? b : a));
    return [{ name: "token farthest away", requester: farthest }];
  },
};
