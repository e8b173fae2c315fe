const OWN_SLOTS = 2;
const ENDPOINT_SLOTS_MAX = 8;
const SHARED_SLOTS = 48;
/** A receiver that keeps failing gets one request at a time. */
const FAILURES_BEFORE_ONE_SLOT = 5;

/** Concurrent deliveries: two slots are reserved for each endpoint, and some more are shared. */
export function createDeliverySlots() {
  let taken = 0;
  return {
    take: () => void (taken += 1),
    give: () => void (taken -= 1),
    /** Free slots of an endpoint with this many deliveries in flight. */
    free(underWay: number, failures: number): number {
      const most = failures >= FAILURES_BEFORE_ONE_SLOT ? 1 : ENDPOINT_SLOTS_MAX;
      const own = Math.max(0, OWN_SLOTS - underWay);
      const shared = Math.max(0, SHARED_SLOTS - taken);
      return Math.max(0, Math.min(most - underWay, own + shared));
    },
  };
}
