import type { FastifyInstance } from 'fastify';
import { receiveStripeEvent } from '../../../src/api/account/topup.ts';
import { Failure } from '../../../src/base/errors.ts';
import { originOf } from '../../audit/audited.ts';
import type { Services } from '../../compose.ts';

const EVENT_BYTES_MAX = 1024 * 1024;

/** Receives Stripe's webhook events. The signature covers the exact bytes, so no parser may touch them. */
export function registerStripe(app: FastifyInstance, { topups, log }: Services): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: EVENT_BYTES_MAX },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.post(receiveStripeEvent.path, async (request) => {
      const { stripeEvents } = topups;
      if (stripeEvents === undefined) {
        throw new Failure(
          'not_found',
          'Stripe is not configured: set stripe_secret_key and stripe_webhook_secret.',
        );
      }
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      try {
        const signed = Array.isArray(signature) ? signature[0] : signature;
        await stripeEvents.receive(body, signed, originOf(request));
      } catch (error) {
        if (error instanceof Failure) log.warn({ request_id: request.id, code: error.code }, error.message);
        throw error;
      }
      return { received: true };
    });
    done();
  });
}
