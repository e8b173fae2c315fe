import type { FastifyInstance, FastifyReply } from 'fastify';
import { toIso } from '../../src/base/clock.ts';
import { formatCredits } from '../../src/base/money.ts';
import type { Checkout } from '../../src/wallet/checkout.ts';
import { refOfToken } from '../../src/wallet/providers/local.ts';
import { NOBODY } from '../audit/actor.ts';
import { originOf } from '../audit/audited.ts';
import type { Services } from '../compose.ts';
import { requireOwnPage } from '../auth/origin-guard.ts';
import { formPage, sendPage } from './page.ts';

const PATH = '/checkout/:token';
const FORM_BYTES_MAX = 1024;

type Params = { Params: { token: string } };

/**
 * The checkout of the local provider: plain pages, one form, no script. Whatever a browser does (double click, back,
 * reload), it ends at the page with the current state.
 */
export function registerCheckout(app: FastifyInstance, { topups, wallet }: Services): void {
  const find = (token: string) => topups.checkouts.findByRef('local', refOfToken(token));

  function show(reply: FastifyReply, checkout: Checkout | undefined): FastifyReply {
    // With no-referrer, a browser also hides the origin of the form, so it could not be told from a foreign one.
    void reply.header('referrer-policy', 'same-origin');
    void reply.status(checkout === undefined ? 404 : 200);
    return sendPage(reply, formPage(bodyOf(checkout, (accountId) => wallet.balance(accountId).balance)));
  }

  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, _body, parsed) => parsed(null, undefined),
    );
    scope.get<Params>(PATH, (request, reply) => show(reply, find(request.params.token)));
    scope.post<Params>(PATH, (request, reply) => {
      requireOwnPage(request, { mayLackBoth: true });
      const checkout = find(request.params.token);
      if (checkout === undefined) return show(reply, undefined);
      // Anyone with the URL may confirm, and nothing shows who that is.
      topups.checkouts.pay(checkout.id, { by: { actor: NOBODY, ...originOf(request) } });
      return reply.redirect(request.url, 303);
    });
    done();
  });
}

function bodyOf(checkout: Checkout | undefined, balanceOf: (accountId: string) => number): Body {
  if (checkout === undefined) {
    return {
      title: 'No such checkout',
      html: '<p>This URL is not a checkout. Start one: <code>askd wallet topup 25</code></p>',
    };
  }
  const { state, amountN, bonusN, accountId, expiresAt } = checkout;
  const total = formatCredits(amountN + bonusN);
  if (state === 'paid') {
    const balance = balanceOf(accountId).toFixed(2);
    return {
      title: 'Credits added',
      html: `<p role="status">${total} credits were added. The balance is now <strong>${balance}</strong>.</p>
        <p><a href="/dashboard">Dashboard</a></p>`,
    };
  }
  if (state !== 'created') {
    return {
      title: 'This checkout has expired',
      html: '<p>No credits were added. Start another checkout: <code>askd wallet topup 25</code></p>',
    };
  }
  return {
    title: 'Add credits',
    html: `<table>
        <tbody>
          <tr><th scope="row">Amount</th><td class="number">${formatCredits(amountN)} USD</td></tr>
          <tr><th scope="row">Bonus</th><td class="number">${formatCredits(bonusN)}</td></tr>
          <tr><th scope="row">Total credits</th><td class="number"><strong>${total}</strong></td></tr>
        </tbody>
      </table>
      <p>This checkout belongs to the daemon on this machine. Confirming adds the credits. <strong>No money is charged.</strong></p>
      <form method="post"><button class="main">Add ${total} credits</button></form>
      <p class="quiet">Valid until <time datetime="${toIso(expiresAt)}">${toIso(expiresAt).slice(0, 16).replace('T', ' ')} UTC</time>.</p>`,
  };
}

type Body = { title: string; html: string };
