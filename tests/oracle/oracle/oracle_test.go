package main

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const twoNodes = `"nodes":[
  {"metadata":{"name":"n0"},"status":{"allocatable":{"cpu":"2","pods":"9"}}},
  {"metadata":{"name":"n1"},"spec":{"unschedulable":true},"status":{"allocatable":{"cpu":"1","pods":"9"}}}]`

func pod(name, spec string) string {
	return `{"metadata":{"name":"` + name + `","namespace":"ns","uid":"u-` + name + `"},"spec":{"containers":[
  {"name":"c","image":"i","resources":{"requests":{"cpu":"1500m"}}}]` + spec + `}}`
}

func ask(t *testing.T, cases ...string) []answer {
	t.Helper()
	lines := ""
	for _, text := range cases {
		lines += strings.ReplaceAll("{"+text+"}", "\n", " ") + "\n"
	}
	output := &bytes.Buffer{}
	if err := serve(context.Background(), strings.NewReader(lines), output); err != nil {
		t.Fatal(err)
	}
	answers := []answer{}
	for decoder := json.NewDecoder(output); decoder.More(); {
		var one answer
		if err := decoder.Decode(&one); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, one)
	}
	return answers
}

func expect(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, expected %v", got, want)
	}
}

func TestEveryPluginThatRefusesIsNamedPerPodAndNode(t *testing.T) {
	answers := ask(t, twoNodes+`,"pending":[`+pod("p", "")+`]`)
	expect(t, answers[0].Refused, [][][]string{{{}, {"NodeUnschedulable", "NodeResourcesFit"}}})
}

func TestACaseDoesNotSeeTheOneBefore(t *testing.T) {
	pending := `,"pending":[` + pod("p", "") + `]`
	bound := `,"pods":[` + pod("b", `,"nodeName":"n0"`) + `]`
	answers := ask(t, twoNodes+bound+pending, twoNodes+pending)
	expect(t, answers[0].Refused[0][0], []string{"NodeResourcesFit"})
	expect(t, answers[1].Refused[0][0], []string{})
}

func TestAFinishedPodUsesNothing(t *testing.T) {
	bound := strings.Replace(pod("b", `,"nodeName":"n0"`), `"spec"`, `"status":{"phase":"Failed"},"spec"`, 1)
	answers := ask(t, twoNodes+`,"pods":[`+bound+`],"pending":[`+pod("p", "")+`]`)
	expect(t, answers[0].Refused[0][0], []string{})
}

func TestAnObjectThatTheApiServerRefusesIsNotJudged(t *testing.T) {
	answers := ask(t, twoNodes+`,"pending":[`+pod("P", "")+`]`)
	if len(answers[0].Invalid) == 0 || answers[0].Refused != nil {
		t.Errorf("got %+v, expected complaints alone", answers[0])
	}
}

func TestAMemberIsJudgedWithThoseBeforeItInPlace(t *testing.T) {
	answers := ask(t, twoNodes+`,"pending":[`+pod("p", "")+","+pod("q", "")+`],"plan":[
  {"pod":"ns/p","node":"n0"},{"pod":"ns/q","node":"n0"}]`)
	expect(t, answers[0].PlanRefused, [][]string{{}, {"NodeResourcesFit"}})
}

func TestAMemberMayComeAfterTheOneItNeeds(t *testing.T) {
	nodes := strings.Replace(twoNodes, `"cpu":"2"`, `"cpu":"9"`, 1)
	nodes = strings.Replace(nodes, `"name":"n0"`, `"name":"n0","labels":{"zone":"a"}`, 1)
	needs := pod("p", `,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
  {"topologyKey":"zone","labelSelector":{"matchLabels":{"role":"leader"}}}]}}`)
	leader := strings.Replace(pod("q", ""), `"name":"q"`, `"name":"q","labels":{"role":"leader"}`, 1)
	plan := `,"plan":[{"pod":"ns/p","node":"n0"}`
	answers := ask(t, nodes+`,"pending":[`+needs+","+leader+"]"+plan+`,{"pod":"ns/q","node":"n0"}]`,
		nodes+`,"pending":[`+needs+`]`+plan+"]")
	expect(t, answers[0].PlanRefused, [][]string{{}, {}})
	expect(t, answers[1].PlanRefused, [][]string{{"InterPodAffinity"}})
}

func TestStoredObjectsHaveTheDefaultsOfTheApiServer(t *testing.T) {
	answers := ask(t, twoNodes+`,"stored":true,"pending":[`+pod("p", "")+`]`)
	if text := string(answers[0].Stored.Pending[0]); !strings.Contains(text, `"schedulerName":"default-scheduler"`) {
		t.Errorf("got %s, expected the default scheduler's name", text)
	}
}
