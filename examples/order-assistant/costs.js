import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { verifyWebhook } from 'askd/client';

/** Receives what askd reports of each answer, and adds up what they cost. It trusts only what is signed. */
export async function openCosts() {
  const seen = new Set();
  const costs = { secret: '', url: '', total: 0, answers: 0, refused: 0, close };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    try {
      const event = await verifyWebhook({ body, headers: request.headers, secret: costs.secret });
      // A delivery may come twice, always with the same id.
      if (!seen.has(request.headers['webhook-id'])) add(event);
      seen.add(request.headers['webhook-id']);
      response.writeHead(204).end();
    } catch {
      costs.refused += 1;
      response.writeHead(400).end();
    }
  });

  function add({ type, data }) {
    if (type !== 'chat.completed') return;
    costs.total += data.cost;
    costs.answers += 1;
  }

  function close() {
    server.close();
    server.closeAllConnections();
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  costs.url = `http://127.0.0.1:${server.address().port}/`;
  return costs;
}
