"""How a balancer distributes requests over nodes: its generated configuration, its process, the loads it looks at."""
