/**
 * The text around a quote, and the event of its run after which it was found. Facts used to be stored at the end of a
 * run.
 */
export const agentPassages = `
ALTER TABLE agent_facts ADD COLUMN after_event INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent_facts ADD COLUMN heading TEXT;
ALTER TABLE agent_facts ADD COLUMN passage TEXT;
UPDATE agent_facts SET after_event =
  coalesce((SELECT max(seq) - 1 FROM agent_events WHERE agent_events.run_id = agent_facts.run_id), 0);

ALTER TABLE agent_sources ADD COLUMN kind TEXT NOT NULL DEFAULT 'web';
UPDATE agent_sources SET kind = CASE
  WHEN url LIKE 'file:%' THEN 'document'
  WHEN url LIKE 'askd:calculate%' THEN 'calculation'
  WHEN url LIKE 'askd:program%' THEN 'program'
  ELSE 'web' END;
`;
