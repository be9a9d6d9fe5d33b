package main

// This file: the names inside the free-form parameter Query, which the
// hand-written document lists once, as ordinary parameters beside it (contract 8.14).

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// declareMembers gives every operation with `x-query-parameters` an optional
// parameter for each of them, behind those that it has. What describes them moves
// there; name, type and whether one is required stay in the list.
func declareMembers(doc *yaml.Node) {
	paths := child(doc.Content[0], "paths")
	for i := 1; paths != nil && i < len(paths.Content); i += 2 {
		for j := 1; j < len(paths.Content[i].Content); j += 2 {
			parameters := child(paths.Content[i].Content[j], "parameters")
			if parameters == nil {
				continue
			}
			for _, p := range slices.Clone(parameters.Content) {
				if members := child(p, "x-query-parameters"); members != nil {
					for _, member := range members.Content {
						parameters.Content = append(parameters.Content, declare(member))
					}
				}
			}
		}
	}
}

// declare makes the parameter of a member and cuts the member down.
func declare(member *yaml.Node) *yaml.Node {
	out := mapping("name", child(member, "name"), "in", scalar("query"))
	kept := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for i := 0; i < len(member.Content); i += 2 {
		key, value := member.Content[i], member.Content[i+1]
		switch key.Value {
		case "name":
			kept.Content = append(kept.Content, key, value)
		case "required":
			kept.Content = append(kept.Content, key, value)
			description := child(member, "description")
			description.Value += " Required, here or inside `Query`."
		case "schema":
			kept.Content = append(kept.Content, key, value)
			out.Content = append(out.Content, typed(value)...)
		default:
			out.Content = append(out.Content, key, value)
		}
	}
	*member = *kept
	return out
}

// typed is the schema of a parameter for the type of a member: a mark is a
// boolean, a list an array in one value, and a time the text that it is.
func typed(schema *yaml.Node) []*yaml.Node {
	format := child(schema, "format")
	switch {
	case format != nil && format.Value == "flag":
		return mapping("schema", mapping("type", scalar("boolean"))).Content
	case format != nil && format.Value == "csv":
		return mapping("style", scalar("form"), "explode", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "false"},
			"schema", mapping("type", scalar("array"), "items", mapping("type", scalar("string")))).Content
	case format != nil && format.Value == "date-time":
		return mapping("schema", mapping("type", scalar("string"))).Content
	default:
		return mapping("schema", schema).Content
	}
}

func scalar(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

// mapping makes an object of names and values in turn.
func mapping(pairs ...any) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(pairs); i += 2 {
		out.Content = append(out.Content, scalar(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return out
}
