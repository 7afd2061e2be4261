-- Page views by hour of the day in Vienna and by device: how many were errors, how many led to an order, and where people were.
SELECT
  hour(time AT TIME ZONE 'Europe/Vienna') AS hour,
  CASE WHEN agent ILIKE '%mobile%' THEN 'phone' WHEN agent ILIKE '%tablet%' THEN 'tablet' ELSE 'desktop' END AS device,
  count(*) AS views,
  count(DISTINCT session) AS sessions,
  count(*) FILTER (WHERE status >= 400) / views AS errors,
  count(amount) / nullif(count(*) FILTER (WHERE page = '/checkout'), 0) AS bought,
  median(ms) AS ms,
  mode(page) AS page
FROM 'examples/aggregate/clicks.json.gz'
WHERE agent NOT LIKE 'curl/%'
GROUP BY hour, device
ORDER BY hour, device
