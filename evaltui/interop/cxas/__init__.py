"""YAML files of cxas-scrapi, the command line of CX Agent Studio, as a format of conversion."""
