import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TierRecord } from '../../../../../src/api/account/account.ts';
import type { RateLimitStatus } from '../../../../../src/api/account/rate-limit.ts';
import { call } from '../../data/api.ts';
import { number, short } from '../../data/format.ts';
import { ownsMachine } from '../../data/person.ts';
import { Problem } from '../../parts/problem.tsx';
import { Row } from './rules.tsx';
import { TierForm } from './tier-form.tsx';

const UNLIMITED = 1_000_000_000;

export function Tier() {
  const [isChanging, setChanging] = useState(false);
  const { data: tier, error } = useQuery({
    queryKey: ['tier'],
    queryFn: () => call<TierRecord>('GET', '/api/account/tier'),
  });
  const left = useQuery({
    queryKey: ['tier', 'limits'],
    queryFn: () => call<RateLimitStatus>('GET', '/api/account/limits'),
  });
  if (!tier || !left.data) return <Problem error={error ?? left.error} />;
  const { remaining, limit, tokens, month } = left.data;
  const of = (rest: number, whole: number) =>
    whole >= UNLIMITED ? 'no limit' : `${number(rest)} of ${number(whole)}`;
  return (
    <section className="card">
      <div className="row apart">
        <h2>
          Tier <span className="badge">{tier.tier}</span>
        </h2>
        {ownsMachine() && (
          <button type="button" onClick={() => setChanging(true)}>
            Change the tier
          </button>
        )}
      </div>
      <table>
        <tbody>
          <Row name="Profile" value={tier.profile || 'none'} />
          <Row name="Requests left this minute" value={of(remaining, limit)} />
          <Row name="Tokens left this minute" value={of(tokens.remaining, tokens.limit)} />
          <Row
            name="Tokens used this month"
            value={
              month.limit === null
                ? `${short(month.used)}, no limit`
                : `${short(month.used)} of ${short(month.limit)}`
            }
          />
        </tbody>
      </table>
      {isChanging && <TierForm tier={tier} onClose={() => setChanging(false)} />}
    </section>
  );
}
