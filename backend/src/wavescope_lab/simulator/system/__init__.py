"""The whole system with contents: clients, edges, balancer, nodes and stores that read blocks of slides (SI14)."""
